package main

import "github.com/mmcloughlin/avo/operand"

// stage emits the kernel that loads lines at given offsets, whether they are clean or not.
func (l *loader512) stage(name string) {
	function(l.Context, name, "func(text *byte, starts *uint32, form *byte, words *uint32, clean *uint16, groups int)",
		"loads groups of sixteen lines that begin at starts and marks the", "clean UUIDs among them.")
	l.begin()
	l.text = argument(l.Context, "text")
	starts := argument(l.Context, "starts")
	first := l.GP64()
	l.MOVL(operand.Mem{Base: starts}, first.As32())
	l.SUBQ(first, l.text) // starts are relative to this address
	marks := argument(l.Context, "clean")

	l.Label("group")
	clean := l.loadGroup(func(i int) operand.Mem {
		start := l.GP64()
		l.MOVL(operand.Mem{Base: starts, Disp: 4 * i}, start.As32())
		return operand.Mem{Base: l.text, Index: start, Scale: 1}
	})
	l.KMOVW(clean, operand.Mem{Base: marks})
	l.ADDQ(operand.U8(64), starts)
	l.ADDQ(operand.U8(2), marks)
	l.ADDQ(operand.U8(64), l.to)
	l.DECQ(l.n)
	l.JNE(operand.LabelRef("group"))
	l.VZEROUPPER()
	l.RET()
}
