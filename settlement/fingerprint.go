package settlement

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sort"
)

// FingerprintVersion is written beside each new fingerprint. A replay recomputes with the *stored* version, so that a
// new version makes no old request look different.
const FingerprintVersion = 1

// Fields in the order of the encoding; their names are what a conflict reports.
const (
	FieldChain   = "chain"
	FieldAsset   = "asset"
	FieldAccount = "account"
	FieldTo      = "to"
	FieldAmount  = "amount"
)

// Digests holds one SHA-256 per field, in hex: enough to say which field differs, too little to say how.
type Digests map[string]string

// Fingerprint hashes what a request means, not its bytes: 12.5 and 12.50 are the same, so are two spellings of an address.
func (r Request) Fingerprint(version int) ([32]byte, error) {
	fields, err := r.encode(version)
	if err != nil {
		return [32]byte{}, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "quittance.request.v%d", version)
	for _, f := range fields {
		writeField(h.Write, f)
	}
	var sum [32]byte
	h.Sum(sum[:0])
	return sum, nil
}

// FieldDigests hashes each field for itself, so that a conflict can name what differs.
func (r Request) FieldDigests(version int) (Digests, error) {
	fields, err := r.encode(version)
	if err != nil {
		return nil, err
	}
	digests := Digests{}
	for _, f := range fields {
		h := sha256.New()
		writeField(h.Write, f)
		digests[f.name] = hex.EncodeToString(h.Sum(nil))
	}
	return digests, nil
}

// Differing names the fields in which two requests differ, sorted.
func (d Digests) Differing(other Digests) []string {
	var names []string
	for name, digest := range d {
		if other[name] != digest {
			names = append(names, name)
		}
	}
	for name := range other {
		if _, both := d[name]; !both {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

type field struct {
	name  string
	value []byte
}

func (r Request) encode(version int) ([]field, error) {
	if version != FingerprintVersion {
		return nil, fmt.Errorf("fingerprint version %d is unknown to this build", version)
	}
	chain := binary.BigEndian.AppendUint64(nil, r.Asset.ChainID)
	amount := r.Amount.Bytes32()
	return []field{
		{FieldChain, chain},
		{FieldAsset, r.Asset.Token.Bytes()},
		{FieldAccount, []byte(r.Account)},
		{FieldTo, r.To.Bytes()},
		{FieldAmount, amount[:]},
	}, nil
}

// writeField is unambiguous: name and value carry their lengths.
func writeField(write func([]byte) (int, error), f field) {
	var length [4]byte
	for _, part := range [][]byte{[]byte(f.name), f.value} {
		binary.BigEndian.PutUint32(length[:], uint32(len(part)))
		_, _ = write(length[:]) // a hash never fails to write
		_, _ = write(part)
	}
}
