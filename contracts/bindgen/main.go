// Command bindgen writes the Go bindings of compiled contracts. It owns nothing but the naming of the files; the code
// comes from go-ethereum's abigen v2, called as a library, because its command pulls in hundreds of packages that
// nothing else here needs. It may import go-ethereum and the standard library, and must never be imported.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi/abigen"
)

// artifact is what compile.mjs writes for one contract.
type artifact struct {
	Contract string          `json:"contract"`
	Source   string          `json:"source"`
	ABI      json.RawMessage `json:"abi"`
	Bytecode string          `json:"bytecode"`
}

// destination is a folder and package for the contracts whose sources lie directly in one folder.
type destination struct {
	sources string
	pkg     string
	dir     string
}

var destinations = []destination{
	{sources: "src", pkg: "contracts", dir: "."},
	{sources: "src/hostile", pkg: "hostile", dir: "hostile"},
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bindgen ARTIFACTS_DIR OUTPUT_DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bindgen:", err)
		os.Exit(1)
	}
}

func run(artifactsDir, outDir string) error {
	paths, err := filepath.Glob(filepath.Join(artifactsDir, "*.json"))
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return errors.New("no artifacts in " + artifactsDir)
	}
	for _, path := range paths {
		if err := bindOne(path, outDir); err != nil {
			return fmt.Errorf("bind %s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

func bindOne(path, outDir string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var a artifact
	if err := json.Unmarshal(raw, &a); err != nil {
		return err
	}
	dest, err := destinationOf(a.Source)
	if err != nil {
		return err
	}
	code, err := abigen.BindV2([]string{a.Contract}, []string{string(a.ABI)}, []string{a.Bytecode}, dest.pkg, nil, nil)
	if err != nil {
		return err
	}
	dir := filepath.Join(outDir, dest.dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, strings.ToLower(a.Contract)+"_gen.go"), []byte(code), 0o644)
}

func destinationOf(source string) (destination, error) {
	folder := filepath.ToSlash(filepath.Dir(source))
	for _, d := range destinations {
		if d.sources == folder {
			return d, nil
		}
	}
	return destination{}, fmt.Errorf("no Go package is planned for contracts in %s", folder)
}
