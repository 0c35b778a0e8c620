package store

// LosePatience makes Each fail when a replica has been silent for half a second.
func (b *Bucket) LosePatience() { b.maxSilent = 1 }
