package mend

// tokenRow is a kind of token that is known by how it begins.
type tokenRow struct {
	prefix string
	set    byteSet // what follows
	least  int     // how much of it, dots not counted
	form   tokenForm
}

// tokenForm says what else a token has to be.
type tokenForm uint8

const (
	formPlain  tokenForm = iota
	formDigit            // has a digit, since what begins so may be a word
	formDotted           // may hold dots between its characters
	formExact            // is exactly that long
	formMixed            // has a digit and a capital: neither word nor digest
)

const (
	setKey = setAlnum // most vendors use letters and digits
	setURL = setBase64URL
)

// tokenRows are the tokens of vendors. The least lengths are below the real ones,
// since a token that was cut is still a token.
var tokenRows = []tokenRow{
	// Amazon
	{"AKIA", setUpper | setDigit, 16, formExact},
	{"ASIA", setUpper | setDigit, 16, formExact},
	{"ABIA", setUpper | setDigit, 16, formExact},
	{"ACCA", setUpper | setDigit, 16, formExact},
	{"ABSK", setBase64 | setEqual, 60, formDigit},
	// GitHub, GitLab, Gitea
	{"ghp_", setKey, 16, formPlain},
	{"gho_", setKey, 16, formPlain},
	{"ghu_", setKey, 16, formPlain},
	{"ghs_", setURL, 16, formDotted},
	{"ghr_", setKey, 16, formPlain},
	{"github_pat_", setWord, 16, formPlain},
	{"glpat-", setURL, 12, formDotted},
	{"gldt-", setURL, 12, formDigit},
	{"glrt-", setURL, 12, formDotted},
	{"glrtr-", setURL, 12, formDigit},
	{"glcbt-", setURL, 12, formDigit},
	{"glptt-", setURL, 12, formDigit},
	{"glft-", setURL, 12, formDigit},
	{"glsoat-", setURL, 12, formDigit},
	{"glimt-", setURL, 12, formDigit},
	{"glagent-", setURL, 12, formDigit},
	{"glffct-", setURL, 12, formDigit},
	{"gloas-", setURL, 12, formDigit},
	{"GR1348941", setURL, 12, formPlain},
	// Chat
	{"xoxb-", setURL, 10, formDigit},
	{"xoxp-", setURL, 10, formDigit},
	{"xoxa-", setURL, 10, formDigit},
	{"xoxr-", setURL, 10, formDigit},
	{"xoxs-", setURL, 10, formDigit},
	{"xoxc-", setURL, 10, formDigit},
	{"xoxd-", setURL | setPlus, 10, formDigit},
	{"xoxe.", setURL, 10, formDotted},
	{"xoxe-", setURL, 10, formDigit},
	{"xapp-", setURL, 10, formDigit},
	{"xwfp-", setURL, 10, formDigit},
	// Payment and shops
	{"sk_live_", setKey, 10, formPlain},
	{"sk_test_", setKey, 10, formPlain},
	{"rk_live_", setKey, 10, formPlain},
	{"rk_test_", setKey, 10, formPlain},
	{"whsec_", setBase64 | setEqual, 16, formDigit},
	{"sq0atp-", setURL, 16, formPlain},
	{"sq0csp-", setURL, 16, formPlain},
	{"sq0idp-", setURL, 16, formPlain},
	{"EAAA", setURL, 56, formDigit},
	{"shpat_", setHex, 16, formPlain},
	{"shpca_", setHex, 16, formPlain},
	{"shppa_", setHex, 16, formPlain},
	{"shpss_", setHex, 16, formPlain},
	{"shpua_", setHex, 16, formPlain},
	{"access_token$production$", setWord | setPlus, 16, formDotted},
	// Models
	{"sk-ant-", setURL, 16, formDigit},
	{"sk-proj-", setURL, 16, formDigit},
	{"sk-svcacct-", setURL, 16, formDigit},
	{"sk-admin-", setURL, 16, formDigit},
	{"sk-or-v1-", setHex, 16, formDigit},
	{"sk-", setKey, 20, formMixed},
	{"hf_", setKey, 20, formMixed},
	{"api_org_", setKey, 20, formMixed},
	{"r8_", setKey, 20, formMixed},
	{"gsk_", setKey, 20, formMixed},
	{"pplx-", setKey, 20, formMixed},
	{"xai-", setKey, 20, formMixed},
	{"fw_", setKey, 20, formMixed},
	{"tgp_v1_", setURL, 20, formMixed},
	{"nvapi-", setURL, 20, formMixed},
	{"lsv2_pt_", setWord, 20, formDigit},
	{"lsv2_sk_", setWord, 20, formDigit},
	// Google
	{"AIza", setURL, 30, formMixed},
	{"ya29.", setURL, 20, formDotted},
	{"GOCSPX-", setURL, 16, formDigit},
	{"1//0", setURL, 30, formMixed},
	// Registries
	{"npm_", setKey, 20, formMixed},
	{"pypi-", setURL, 40, formDigit},
	{"dckr_pat_", setURL, 16, formDigit},
	{"dckr_oat_", setURL, 16, formDigit},
	{"rubygems_", setHex, 24, formDigit},
	{"cio", setKey, 32, formExact},
	{"oy2", setLower | setDigit, 43, formExact},
	{"CLOJARS_", setHex, 40, formDigit},
	{"AKCp", setKey, 60, formDigit},
	{"cmVmdGtu", setKey, 40, formDigit},
	// Infrastructure
	{"hvs.", setURL, 16, formMixed},
	{"hvb.", setURL, 16, formMixed},
	{"hvr.", setURL, 16, formMixed},
	{"dop_v1_", setHex, 20, formDigit},
	{"doo_v1_", setHex, 20, formDigit},
	{"dor_v1_", setHex, 20, formDigit},
	{"dapi", setHex, 32, formDigit},
	{"dkea", setHex, 32, formDigit},
	{"dose", setHex, 32, formDigit},
	{"HRKU-", setURL, 20, formDigit},
	{"FlyV1 fm", setBase64URL | setPlus | setEqual, 20, formMixed},
	{"fm2_", setBase64URL | setPlus | setEqual, 20, formMixed},
	{"fm1r_", setBase64URL | setPlus | setEqual, 20, formMixed},
	{"fo1_", setURL, 20, formMixed},
	{"vcp_", setKey, 20, formMixed},
	{"vck_", setKey, 20, formMixed},
	{"vci_", setKey, 20, formMixed},
	{"nfp_", setKey, 20, formMixed},
	{"nfc_", setKey, 20, formMixed},
	{"nfo_", setKey, 20, formMixed},
	{"nfu_", setKey, 20, formMixed},
	{"cfut_", setURL, 20, formDigit},
	{"cfat_", setURL, 20, formDigit},
	{"cfk_", setURL, 20, formDigit},
	{"v1.0-", setURL, 100, formDigit},
	{"sbp_", setHex, 20, formDigit},
	{"sb_secret_", setURL, 16, formPlain},
	{"pscale_tkn_", setURL, 16, formDotted},
	{"pscale_pw_", setURL, 16, formDotted},
	{"pscale_oauth_", setURL, 16, formDotted},
	{"dp.pt.", setKey, 20, formDigit},
	{"dp.st.", setKey, 20, formDotted},
	{"dp.sa.", setKey, 20, formDigit},
	{"dp.ct.", setKey, 20, formDigit},
	{"dp.scim.", setKey, 20, formDigit},
	{"pul-", setHex, 20, formDigit},
	{"rnd_", setKey, 20, formMixed},
	{"tskey-", setURL, 14, formDigit},
	{"ops_eyJ", setURL, 40, formPlain},
	{"A3-", setUpper | setDigit | setDash, 30, formDigit},
	{"AGE-SECRET-KEY-1", setUpper | setDigit, 20, formPlain},
	{"AGE-PLUGIN-", setUpper | setDigit | setDash, 40, formDigit},
	// Watching
	{"glc_", setBase64 | setEqual, 20, formMixed},
	{"glsa_", setWord, 20, formDigit},
	{"glsat_", setWord, 20, formDigit},
	{"NRAK-", setUpper | setDigit, 20, formDigit},
	{"NRII-", setURL, 20, formDigit},
	{"NRJS-", setHex, 15, formDigit},
	{"NRRA-", setHex, 20, formDigit},
	{"sntrys_", setBase64URL | setPlus | setEqual, 20, formDigit},
	{"sntryu_", setHex, 20, formDigit},
	{"dt0c01.", setUpper | setDigit, 20, formDotted},
	{"phc_", setKey, 20, formMixed},
	{"phx_", setKey, 20, formMixed},
	{"hbp_", setKey, 20, formMixed},
	{"PMAK-", setHex, 20, formDigit},
	{"sgp_", setWord, 20, formDigit},
	{"ddp_", setKey, 20, formMixed},
	// Work
	{"ATATT3", setBase64URL | setEqual, 20, formPlain},
	{"ATCTT3", setBase64URL | setEqual, 20, formPlain},
	{"ATSTT3", setBase64URL | setEqual, 20, formPlain},
	{"ATBB", setKey, 20, formMixed},
	{"lin_api_", setKey, 16, formPlain},
	{"lin_oauth_", setKey, 16, formPlain},
	{"secret_", setKey, 40, formMixed},
	{"ntn_", setKey, 40, formMixed},
	{"pat-na1-", setHex | setDash, 30, formDigit},
	{"pat-eu1-", setHex | setDash, 30, formDigit},
	{"figd_", setURL, 20, formMixed},
	{"duffel_live_", setURL, 20, formDigit},
	{"duffel_test_", setURL, 20, formDigit},
	{"EZAK", setKey, 50, formDigit},
	{"EZTK", setKey, 50, formDigit},
	{"fio-u-", setURL, 20, formMixed},
	{"ico-", setKey, 32, formExact},
	{"LTAI", setKey, 16, formMixed},
	{"AKID", setKey, 32, formMixed},
	// Mail and telephone
	{"SG.", setURL, 30, formDotted},
	{"xkeysib-", setHex | setDash, 20, formDigit},
	{"xsmtpsib-", setHex | setDash, 20, formDigit},
	{"key-", setHex, 32, formExact},
	{"re_", setWord, 24, formMixed},
	{"SK", setHex, 32, formExact},
	{"sk.eyJ", setURL, 20, formDotted},
	{"CFPAT-", setURL, 20, formDigit},
}

// hashRow is a kind of password hash: what it begins with, and the least length of
// the whole.
type hashRow struct {
	prefix string
	least  int
}

// hashRows are password hashes as crypt, web servers, databases and frameworks
// write them.
var hashRows = []hashRow{
	{"$1$", 20}, {"$5$", 30}, {"$6$", 40}, {"$7$", 30}, {"$y$", 30}, {"$gy$", 30}, {"$2a$", 30}, {"$2b$", 30}, {"$2x$", 30}, {"$2y$", 30},
	{"$md5$", 20}, {"$md5,", 20}, {"$sha1$", 30}, {"$apr1$", 20}, {"$argon2", 40}, {"$scrypt$", 40}, {"$pbkdf2", 40}, {"$bcrypt-", 40},
	{"$P$", 30}, {"$H$", 30}, {"$S$", 50}, {"$8$", 40}, {"$9$", 40},
	{"pbkdf2_sha", 40}, {"pbkdf2:sha", 40}, {"scrypt:", 60}, {"bcrypt_sha256$", 40}, {"argon2$argon2", 40},
	{"SCRAM-SHA-", 60}, {"{SSHA", 24}, {"{SHA}", 24}, {"{CRYPT}", 16}, {"{PBKDF2", 30}, {"{ARGON2}", 30}, {"{bcrypt}", 40},
}
