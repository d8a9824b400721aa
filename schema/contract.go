package schema

import "encoding/json"

// ContractHash returns the hash of what a definition means.
func ContractHash(kind Kind, raw json.RawMessage) (string, error) {
	v, err := parseJSON(raw)
	if err != nil {
		return "", err
	}
	return hashBytes(contract(kind, v)), nil
}

func contract(kind Kind, v *value) []byte {
	v.sort(compareUTF16)
	return appendCanonical(nil, v)
}
