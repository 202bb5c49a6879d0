module github.com/mendkit/mend/bench

go 1.26.0

require (
	github.com/mendkit/mend v0.0.0
	github.com/sony/gobreaker/v2 v2.4.0
)

require github.com/BurntSushi/toml v1.6.0 // indirect

replace github.com/mendkit/mend => ../
