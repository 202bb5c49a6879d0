//go:build !linux

package mend

// machineID returns "": only Linux tells what process numbers belong to.
func machineID() string { return "" }

// processStart returns "": only Linux tells.
func processStart(int) string { return "" }
