// Package wire holds what the adapters have in common: the HTTP client they give
// to their SDK, how a call ends in an error, how long a provider asks to be left
// alone, and which parts of a history an API would refuse.
//
// What an API answered is read from here, not from the error of its SDK: one of
// them drops the headers, another puts the whole answer into the error's text.
package wire
