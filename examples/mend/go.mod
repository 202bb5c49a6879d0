module github.com/mendkit/mend/examples/mend

go 1.26.0

replace github.com/mendkit/mend => ../..

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/mendkit/mend v0.0.0
	github.com/rogpeppe/go-internal v1.16.0
	github.com/spf13/cobra v1.10.2
	golang.org/x/term v0.46.0
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/sys v0.48.0 // indirect
)
