package mend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// tokenKinds are the vendors' prefixes, each in two pieces, with the alphabet and the
// length of a real token's rest.
var tokenKinds = []struct {
	head, tail string
	alphabet   string
	length     int
}{
	{"AK", "IA", capital, 16},
	{"AS", "IA", capital, 16},
	{"AB", "IA", capital, 16},
	{"AC", "CA", capital, 16},
	{"AB", "SK", mixed, 64},
	{"gh", "p_", mixed, 24},
	{"gh", "o_", mixed, 24},
	{"gh", "u_", mixed, 24},
	{"gh", "s_", mixed, 24},
	{"gh", "r_", mixed, 24},
	{"githu", "b_pat_", mixed, 24},
	{"glp", "at-", mixed, 24},
	{"gl", "dt-", mixed, 24},
	{"gl", "rt-", mixed, 24},
	{"glr", "tr-", mixed, 24},
	{"glc", "bt-", mixed, 24},
	{"glp", "tt-", mixed, 24},
	{"gl", "ft-", mixed, 24},
	{"gls", "oat-", mixed, 24},
	{"gli", "mt-", mixed, 24},
	{"glag", "ent-", mixed, 24},
	{"glf", "fct-", mixed, 24},
	{"glo", "as-", mixed, 24},
	{"GR13", "48941", mixed, 24},
	{"xo", "xb-", mixed, 24},
	{"xo", "xp-", mixed, 24},
	{"xo", "xa-", mixed, 24},
	{"xo", "xr-", mixed, 24},
	{"xo", "xs-", mixed, 24},
	{"xo", "xc-", mixed, 24},
	{"xo", "xd-", mixed, 24},
	{"xo", "xe.", mixed, 24},
	{"xo", "xe-", mixed, 24},
	{"xa", "pp-", mixed, 24},
	{"xw", "fp-", mixed, 24},
	{"sk_l", "ive_", mixed, 24},
	{"sk_t", "est_", mixed, 24},
	{"rk_l", "ive_", mixed, 24},
	{"rk_t", "est_", mixed, 24},
	{"whs", "ec_", mixed, 24},
	{"sq0", "atp-", mixed, 24},
	{"sq0", "csp-", mixed, 24},
	{"sq0", "idp-", mixed, 24},
	{"EA", "AA", mixed, 60},
	{"shp", "at_", hex, 24},
	{"shp", "ca_", hex, 24},
	{"shp", "pa_", hex, 24},
	{"shp", "ss_", hex, 24},
	{"shp", "ua_", hex, 24},
	{"acce", "ss_token$production$", mixed, 24},
	{"sk-", "ant-", mixed, 24},
	{"sk-p", "roj-", mixed, 24},
	{"sk-sv", "cacct-", mixed, 24},
	{"sk-a", "dmin-", mixed, 24},
	{"sk-o", "r-v1-", hex, 24},
	{"s", "k-", mixed, 24},
	{"h", "f_", mixed, 24},
	{"api_", "org_", mixed, 24},
	{"r", "8_", mixed, 24},
	{"gs", "k_", mixed, 24},
	{"pp", "lx-", mixed, 24},
	{"xa", "i-", mixed, 24},
	{"f", "w_", mixed, 24},
	{"tgp", "_v1_", mixed, 24},
	{"nva", "pi-", mixed, 24},
	{"lsv2", "_pt_", mixed, 24},
	{"lsv2", "_sk_", mixed, 24},
	{"AI", "za", mixed, 34},
	{"ya", "29.", mixed, 24},
	{"GOC", "SPX-", mixed, 24},
	{"1/", "/0", mixed, 34},
	{"np", "m_", mixed, 24},
	{"py", "pi-", mixed, 44},
	{"dckr", "_pat_", mixed, 24},
	{"dckr", "_oat_", mixed, 24},
	{"ruby", "gems_", hex, 28},
	{"c", "io", mixed, 32},
	{"o", "y2", small, 43},
	{"CLOJ", "ARS_", hex, 44},
	{"AK", "Cp", mixed, 64},
	{"cmVm", "dGtu", mixed, 44},
	{"hv", "s.", mixed, 24},
	{"hv", "b.", mixed, 24},
	{"hv", "r.", mixed, 24},
	{"dop", "_v1_", hex, 24},
	{"doo", "_v1_", hex, 24},
	{"dor", "_v1_", hex, 24},
	{"da", "pi", hex, 36},
	{"dk", "ea", hex, 36},
	{"do", "se", hex, 36},
	{"HR", "KU-", mixed, 24},
	{"FlyV", "1 fm", mixed, 24},
	{"fm", "2_", mixed, 24},
	{"fm", "1r_", mixed, 24},
	{"fo", "1_", mixed, 24},
	{"vc", "p_", mixed, 24},
	{"vc", "k_", mixed, 24},
	{"vc", "i_", mixed, 24},
	{"nf", "p_", mixed, 24},
	{"nf", "c_", mixed, 24},
	{"nf", "o_", mixed, 24},
	{"nf", "u_", mixed, 24},
	{"cf", "ut_", mixed, 24},
	{"cf", "at_", mixed, 24},
	{"cf", "k_", mixed, 24},
	{"v1", ".0-", mixed, 104},
	{"sb", "p_", hex, 24},
	{"sb_se", "cret_", mixed, 24},
	{"pscal", "e_tkn_", mixed, 24},
	{"pscal", "e_pw_", mixed, 24},
	{"pscale", "_oauth_", mixed, 24},
	{"dp.", "pt.", mixed, 24},
	{"dp.", "st.", mixed, 24},
	{"dp.", "sa.", mixed, 24},
	{"dp.", "ct.", mixed, 24},
	{"dp.s", "cim.", mixed, 24},
	{"pu", "l-", hex, 24},
	{"rn", "d_", mixed, 24},
	{"tsk", "ey-", mixed, 24},
	{"ops", "_eyJ", mixed, 44},
	{"A", "3-", capital, 34},
	{"AGE-SECR", "ET-KEY-1", capital, 24},
	{"AGE-P", "LUGIN-", capital, 44},
	{"gl", "c_", mixed, 24},
	{"gl", "sa_", mixed, 24},
	{"gls", "at_", mixed, 24},
	{"NR", "AK-", capital, 24},
	{"NR", "II-", mixed, 24},
	{"NR", "JS-", hex, 24},
	{"NR", "RA-", hex, 24},
	{"snt", "rys_", mixed, 24},
	{"snt", "ryu_", hex, 24},
	{"dt0", "c01.", capital, 24},
	{"ph", "c_", mixed, 24},
	{"ph", "x_", mixed, 24},
	{"hb", "p_", mixed, 24},
	{"PM", "AK-", hex, 24},
	{"sg", "p_", mixed, 24},
	{"dd", "p_", mixed, 24},
	{"ATA", "TT3", mixed, 24},
	{"ATC", "TT3", mixed, 24},
	{"ATS", "TT3", mixed, 24},
	{"AT", "BB", mixed, 24},
	{"lin_", "api_", mixed, 24},
	{"lin_o", "auth_", mixed, 24},
	{"sec", "ret_", mixed, 44},
	{"nt", "n_", mixed, 44},
	{"pat-", "na1-", hex, 34},
	{"pat-", "eu1-", hex, 34},
	{"fi", "gd_", mixed, 24},
	{"duffel", "_live_", mixed, 24},
	{"duffel", "_test_", mixed, 24},
	{"EZ", "AK", mixed, 54},
	{"EZ", "TK", mixed, 54},
	{"fio", "-u-", mixed, 24},
	{"ic", "o-", mixed, 32},
	{"LT", "AI", mixed, 24},
	{"AK", "ID", mixed, 36},
	{"S", "G.", mixed, 34},
	{"xkey", "sib-", hex, 24},
	{"xsmt", "psib-", hex, 24},
	{"ke", "y-", hex, 32},
	{"r", "e_", mixed, 28},
	{"S", "K", hex, 32},
	{"sk.", "eyJ", mixed, 24},
	{"CFP", "AT-", mixed, 24},
}

const (
	hex     = "0123456789abcdef"
	small   = "abcdefghijklmnopqrstuvwxyz0123456789"
	capital = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
	mixed   = "Zr4tQm81LpXv92KsWd7nTb3YcFh6JgRa5MEu0GiBxPqNyDkSoCzVwHjAfUlIeO"
)

// madeOf returns n characters of an alphabet that look made at random.
func madeOf(alphabet string, n int) string {
	b := make([]byte, n)
	for i, x := 0, uint32(len(alphabet)*7+n); i < n; i++ {
		x = x*1664525 + 1013904223
		b[i] = alphabet[x>>8%uint32(len(alphabet))]
	}
	return string(b)
}

func TestSanitizerTokens(t *testing.T) {
	for _, k := range tokenKinds {
		token := k.head + k.tail + madeOf(k.alphabet, k.length)
		for _, around := range []string{"%", "bad token %.", "got (%), not that", `"%"`, "a=%;b", `\n%\n`, "https://example.org/%?x", "[%]", "x:%,y"} {
			want := strings.ReplaceAll(around, "%", "[REDACTED]")
			assert.Equal(t, want, unlimited.Sanitize(strings.ReplaceAll(around, "%", token)), token)
		}
		for _, benign := range []string{
			k.head + k.tail,
			"see " + k.head + k.tail + "xxxxxxxx for it",
			k.head + k.tail + "ab1",
			"a" + token[:len(token)/2], // amid a word
			"_" + k.head + k.tail + strings.Repeat("x", k.length),
		} {
			assert.Equal(t, benign, unlimited.Sanitize(benign))
		}
	}
}
