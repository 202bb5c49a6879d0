package mend

// benignValues are what stands behind a label and is no secret: answers, states,
// types, and words that stand for a value.
var benignValues = newWordSet(
	"true", "false", "null", "nil", "none", "yes", "no", "on", "off", "undefined", "nan", "n/a", "na", "void", "(null)", "<nil>",
	"required", "missing", "invalid", "expired", "enabled", "disabled", "optional", "default", "unset", "set", "empty", "unknown",
	"incorrect", "wrong", "valid", "ok", "okay", "failed", "failure", "success", "succeeded", "accepted", "rejected", "denied", "revoked", "ignored",
	"unauthorized", "forbidden", "needed", "provided", "present", "absent", "found", "not", "error", "auto", "automatic", "manual",
	"redacted", "hidden", "masked", "removed", "omitted", "filtered", "sanitized", "encrypted", "protected", "locked", "unlocked", "active", "inactive",
	"string", "str", "text", "file", "path", "filename", "filepath", "name", "word", "value", "val", "bytes", "byte", "int", "integer", "number", "num", "bool",
	"boolean", "char", "object", "array", "list", "any", "type", "stdin", "stdout", "prompt", "ask", "keyring", "keychain", "vault", "env", "fd",
	"password", "passwd", "passphrase", "pass", "pwd", "pw", "secret", "secrets", "token", "key", "apikey", "credential", "credentials", "auth",
	"placeholder", "example", "sample", "dummy", "changeme", "change-me", "change_me", "todo", "tbd", "fixme", "foo", "bar", "baz", "xxx",
	"plain", "plaintext", "basic", "bearer", "digest", "identifier", "keyword", "operator", "newline", "eof", "end", "start", "comma", "whitespace",
	"md5", "sha1", "sha256", "sha512", "bcrypt", "rsa", "dsa", "ecdsa", "ed25519", "aes", "pem", "jwt", "hmac", "hs256", "rs256", "es256", "pbkdf2", "argon2", "scrypt",
	"std::string", "&str", "uint8_t", "uint32_t", "size_t", "char*", "[]byte", "[]string", "option", "bytes32", "self", "this", "is", "was", "for", "from", "must", "the", "a", "an", "your",
	"compat", "files", "systemd", "sss", "hex", "base64", "ascii", "utf-8", "utf8", "username", "user", "nobody", "anonymous", "guest", "localhost", "prompting", "interactive", "strict", "never", "always", "inherit",
	"mypassword", "mysecret", "mytoken",
)

// referenceHeads begin a value that says where a secret is to be had.
var referenceHeads = []string{
	"process.env", "os.environ", "os.getenv", "getenv(", "System.getenv", "ENV[", "env:", "env.", "file:", "vault:", "op://", "secretref:",
	"arn:aws:", "ref+", "keyring:", "ssm:", "sops:", "base64(", "var.", "local.", "data.", "module.", "config.", "secrets.", "self.", "this.", "params.",
	"args.", "ctx.", "req.", "request.", "options.", "opts.", "settings.", "std::", "@{", "urn:", "<%", "projects/", "ENC[",
}

// placeholderHeads begin a value that has to be replaced, in small letters.
var placeholderHeads = []string{
	"your_", "your-", "your ", "yourpassword", "yourtoken", "yoursecret", "yourkey", "yourapikey", "my_token", "my-token",
	"insert_", "insert-", "replace_", "replace-", "replaceme", "enter_", "enter-", "change_", "change-", "changeme", "xxxx", "x-x-", "<", "some_", "some-", "example_", "example-", "dummy", "placeholder", "not-a-", "redacted",
}

// digestHeads begin a digest or a key that is public.
var digestHeads = []string{
	"sha256:", "sha512:", "sha384:", "sha224:", "sha1:", "md5:", "sha256-", "sha512-", "sha384-", "sha1-", "blake2b:", "blake3:", "h1:", "git:", "ssh-rsa",
	"ssh-ed25519", "ecdsa-", "age1", "sha256sum:", "sha256=", "sha1=", "sha512=",
}
