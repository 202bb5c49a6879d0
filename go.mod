module github.com/mendkit/mend

go 1.26.0
