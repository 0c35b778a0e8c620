package hashing

// digestsAtOnce bounds how many digests are parsed before they are checked for junk,
// so that little work is lost if one of them is junk.
const digestsAtOnce = 64

// takeDigests takes lines from the beginning of in as long as they are digests, and not
// those of junk, and returns their length. dirty reports that the next line is not clean.
func (h *Hasher) takeDigests(out *Out, in []byte) (used int, dirty bool) {
	if len(in) < HexLen+2 {
		return 0, false
	}
	length := lineLength(in, HexLen)
	if length == 0 {
		return 0, true
	}
	n := len(out.Digests)
	free := out.Digests[n:cap(out.Digests)]
	free = free[:min(len(free), digestsAtOnce)]
	parsed := h.kernel.parse(free, in, in[HexLen:length])
	for i := range parsed {
		if h.junk.mayContain(&free[i]) && h.junk.contains(&free[i]) {
			parsed, dirty = i, true
			break
		}
		out.Rows = append(out.Rows, int32(out.Count+i))
	}
	out.Digests = out.Digests[:n+parsed]
	out.Count += parsed
	return parsed * length, dirty
}

// takeDigest takes one clean line of a digest.
func (h *Hasher) takeDigest(out *Out, in []byte) int {
	if len(in) < HexLen+2 {
		return 0
	}
	n := lineLength(in, HexLen)
	if n == 0 {
		return 0
	}
	var d Digest
	if !d.parse((*[HexLen]byte)(in)) || h.junk.mayContain(&d) {
		return 0
	}
	out.add(&d)
	return n
}
