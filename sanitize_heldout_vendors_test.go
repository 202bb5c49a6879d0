package mend_test

// vendorShapes are what the credentials of vendors look like: a name, and the form
// that [shaped] fills in. A plus sign is left out, so that no scanner of sources
// takes a prefix for a secret.
var vendorShapes = []struct{ name, shape string }{
	{"github", "gh+p_{A36}"}, {"githubo", "gh+o_{A36}"}, {"githubs", "gh+s_{A36}"}, {"githubu", "gh+u_{A36}"}, {"githubr", "gh+r_{A76}"},
	{"githubpat", "github+_pat_{A22}_{A59}"},
	{"gitlab", "gl+pat-{w20}"}, {"gitlabdt", "gl+dt-{w20}"}, {"gitlabrt", "gl+rt-{w20}"}, {"gitlabptt", "gl+ptt-{h40}"}, {"gitlabreg", "GR+1348941{w20}"},
	{"gitlabcbt", "gl+cbt-64_{w20}"}, {"gitlabsoat", "gl+soat-{w20}"}, {"gitlabft", "gl+ft-{w20}"}, {"gitlabagent", "gl+agent-{w50}"}, {"gitlaboas", "gl+oas-{h64}"},
	{"awsid", "AK+IA{u16}"}, {"awstemp", "AS+IA{u16}"}, {"google", "AI+za{w35}"}, {"gocspx", "GOC+SPX-{w28}"}, {"gcpaccess", "ya+29.{w60}"}, {"grefresh", "1/+/0{w42}"},
	{"slackbot", "xo+xb-{d12}-{d12}-{A24}"}, {"slackuser", "xo+xp-{d12}-{d12}-{d12}-{h32}"}, {"slackapp", "xa+pp-1-A{u10}-{d13}-{h64}"}, {"slackconfig", "xo+xe.xo+xp-1-{A146}"},
	{"stripe", "sk+_live_{A24}"}, {"stripetest", "sk+_test_{A24}"}, {"striperestricted", "rk+_live_{A24}"}, {"stripehook", "wh+sec_{A32}"},
	{"sendgrid", "SG+.{w22}.{w43}"}, {"twilio", "SK+{h32}"}, {"mailgun", "key-+{h32}"}, {"mailchimp", "{h32}-us+14"}, {"brevo", "xke+ysib-{h64}-{A16}"}, {"resend", "re+_{A8}_{A24}"},
	{"npm", "np+m_{A36}"}, {"pypi", "py+pi-AgEIcHlwaS5vcmc{w70}"}, {"rubygems", "rubygems+_{h48}"}, {"nuget", "oy+2{l43}"}, {"cratesio", "ci+o{A32}"}, {"clojars", "CLO+JARS_{l60}"},
	{"digitalocean", "do+p_v1_{h64}"}, {"dooauth", "do+o_v1_{h64}"}, {"huggingface", "hf+_{A34}"},
	{"openai", "sk-+proj-{w48}"}, {"openaiold", "sk-+{A20}T3Blbk+FJ{A20}"}, {"anthropic", "sk-+ant-api03-{w93}AA"}, {"openrouter", "sk-+or-v1-{h64}"}, {"groq", "gs+k_{A52}"}, {"replicate", "r8+_{A37}"},
	{"perplexity", "pplx-+{A48}"}, {"xai", "xai-+{A80}"}, {"langsmith", "lsv2+_pt_{h32}_{h10}"}, {"nvidia", "nvapi-+{w64}"}, {"pinecone", "pcsk+_{A6}_{A63}"},
	{"tailscale", "tskey-+auth-{A12}CNTRL-{A32}"}, {"vault", "hv+s.{w90}"}, {"vaultbatch", "hv+b.{w120}"}, {"vaultold", "s.+{A24}"}, {"atlas", "{A14}.atlas+v1.{w64}"}, {"dckr", "dckr+_pat_{w27}"},
	{"shopify", "shp+at_{h32}"}, {"shopifyshared", "shp+ss_{h32}"}, {"squareaccess", "sq0+atp-{w22}"}, {"squaresecret", "sq0+csp-{w43}"},
	{"linear", "lin+_api_{A40}"}, {"figma", "fig+d_{w40}"}, {"notion", "ntn+_{A46}"}, {"airtable", "pat{A14}.{h64}"}, {"typeform", "tfp+_{w59}"}, {"postman", "PMA+K-{h24}-{h34}"},
	{"databricks", "dap+i{h32}"}, {"newrelic", "NRA+K-{u27}"}, {"glsa", "gl+sa_{A32}_{h8}"}, {"grafanacloud", "gl+c_{b60}"}, {"doppler", "dp.+pt.{A43}"}, {"dynatrace", "dt0+c01.{u24}.{u64}"},
	{"sentry", "sntryu+_{h64}"}, {"pulumi", "pul-+{h40}"}, {"age", "AGE-SECRET-+KEY-1{z58}"}, {"circleci", "CCI+PAT_{A22}_{h40}"}, {"buildkite", "bku+a_{h40}"}, {"harness", "pat.{A22}.{h24}.{A20}"},
	{"atlassian", "ATA+TT3xFfGF0{w180}={H8}"}, {"bitbucket", "ATB+B{A32}"}, {"easypost", "EZA+K{A54}"}, {"fly", "fm+2_{b80}"}, {"supabase", "sbp+_{h40}"}, {"planetscale", "pscale+_tkn_{w43}"},
	{"telegram", "{d9}:AA{w33}"}, {"discord", "MTA{A23}.{w6}.{w38}"}, {"azsecret", "{A3}8Q+~{w34}"}, {"jfrog", "AKC+p{A69}"}, {"heroku", "HRK+U-AA{w58}"}, {"contentful", "CFP+AT-{w43}"},
	{"netlify", "nfp+_{A36}"}, {"sonar", "sq+p_{h40}"}, {"adafruit", "aio+_{A28}"}, {"duffel", "duffel+_test_{w43}"}, {"hubspot", "pat-na1-{U}"}, {"infracost", "ico-+{A32}"}, {"prefect", "pnu+_{A36}"},
	{"readme", "rdme+_{l70}"}, {"alibaba", "LT+AI{A20}"}, {"plaid", "access-+sandbox-{U}"}, {"onepassword", "ops_+ey" + "J{b250}"}, {"openshift", "sha256~{w43}"}, {"mapbox", "sk.+ey" + "J{w60}.{w22}"},
	{"shippo", "shippo+_live_{h40}"}, {"sourcegraph", "sgp+_{h40}"}, {"neon", "napi+_{l64}"}, {"flutterwave", "FLWSECK+_TEST-{h32}-X"}, {"aiven", "AVNS+_{w19}"}, {"octopus", "API-{u26}"}, {"deno", "ddp+_{A36}"},
	{"crypt6", "$6$+{A16}${x86}"}, {"crypt5", "$5$+{A16}${x43}"}, {"yescrypt", "$y$+j9T${x22}${x43}"}, {"apr1", "$apr1$+{A8}${x22}"}, {"md5crypt", "$1$+{A8}${x22}"}, {"bcrypt", "$2b$+12${x53}"},
	{"argon2", "$argon2+id$v=19$m=65536,t=3,p=4${b22}${b43}"},
}

// vendorContexts are what a program may say round a credential.
var vendorContexts = []string{
	"bad credentials for ⟨%s⟩", "server rejected ⟨%s⟩ (403)", "\"⟨%s⟩\"", "(⟨%s⟩)", "using ⟨%s⟩, region eu", "got ⟨%s⟩.", "['⟨%s⟩', 'b']", "X-Frob: ⟨%s⟩",
	"<⟨%s⟩>", "⟨%s⟩\tactive", "frob login ⟨%s⟩ --quiet", "https://api.corp.test/?q=⟨%s⟩&x=1", "value=⟨%s⟩;", "+ echo ⟨%s⟩", "{\"v\":\"⟨%s⟩\"}", "one ⟨%[1]s⟩ two ⟨%[1]s⟩",
}
