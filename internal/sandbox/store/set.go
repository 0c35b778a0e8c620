package store

import "usher/hashing"

// digestSize is the size of a digest in bytes.
const digestSize = len(hashing.Digest{})

// set is a set of digests and its fingerprint.
type set struct {
	fingerprint hashing.Fingerprint
	members     map[hashing.Digest]struct{} // nil: only the fingerprint is stored
}

// add adds d. In a set without members every digest is new.
func (m *set) add(d hashing.Digest) {
	if m.members != nil {
		if _, found := m.members[d]; found {
			return
		}
		m.members[d] = struct{}{}
	}
	m.fingerprint.Add(d)
}

// remove removes d. In a set without members every digest is a member.
func (m *set) remove(d hashing.Digest) {
	if m.members != nil {
		if _, found := m.members[d]; !found {
			return
		}
		delete(m.members, d)
	}
	m.fingerprint.Remove(d)
}

// pieces calls f with pieces of up to 65,536 members, 16 bytes each.
func (m *set) pieces(f func(digests []byte) error) error {
	piece := make([]byte, 0, 65536*digestSize)
	for d := range m.members {
		if piece = append(piece, d[:]...); len(piece) < cap(piece) {
			continue
		}
		if err := f(piece); err != nil {
			return err
		}
		piece = piece[:0]
	}
	if len(piece) == 0 {
		return nil
	}
	return f(piece)
}
