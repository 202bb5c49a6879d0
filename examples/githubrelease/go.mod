module github.com/mendkit/mend/examples/githubrelease

go 1.26.0

require (
	github.com/mendkit/mend v0.0.0
	github.com/mendkit/mend/installer v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/ulikunitz/xz v0.5.17 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace (
	github.com/mendkit/mend => ../..
	github.com/mendkit/mend/installer => ../../installer
)
