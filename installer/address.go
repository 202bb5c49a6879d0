package installer

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"path"
	"time"
)

// parseAddress returns the address of a download, if it may be asked for.
func (in *Installer) parseAddress(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, &fault{err: err}
	}
	if u.Scheme == "file" {
		if u.Host != "" && u.Host != "localhost" || !path.IsAbs(u.Path) {
			return nil, faultf("%q is no file of this machine", text)
		}
		return u, nil
	}
	return u, in.permit(u)
}

// permit reports why an address of the web must not be asked for.
func (in *Installer) permit(u *url.URL) error {
	switch {
	case u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return faultf("%q is no address of the web, nor of a file", u.Redacted())
	case u.Scheme == "http" && !in.opts.AllowHTTP && !isLoopback(u.Hostname()):
		return faultf("%q is not encrypted; https is needed", u.Redacted())
	}
	return nil
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// maxRedirects is how often a server may send a download elsewhere.
const maxRedirects = 10

// checkedClient returns a client that goes only where it may.
func (in *Installer) checkedClient(given *http.Client) *http.Client {
	client := &http.Client{Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        10,
		IdleConnTimeout:     time.Minute,
		TLSHandshakeTimeout: 30 * time.Second,
	}}
	if given != nil {
		copied := *given
		client = &copied
	}
	asked := client.CheckRedirect
	client.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if err := in.permit(req.URL); err != nil {
			return err
		}
		if req.URL.Scheme == "http" && via[len(via)-1].URL.Scheme == "https" && !in.opts.AllowHTTP {
			return faultf("the server redirects from https to %q", req.URL.Redacted())
		}
		if isLoopback(req.URL.Hostname()) && !isLoopback(via[0].URL.Hostname()) {
			return faultf("the server redirects to this machine, at %q", req.URL.Redacted())
		}
		if asked != nil {
			return asked(req, via)
		}
		if len(via) >= maxRedirects {
			return &fault{err: errors.New("the server redirects too often")}
		}
		return nil
	}
	return client
}
