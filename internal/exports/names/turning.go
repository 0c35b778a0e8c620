package names

import (
	"slices"
	"strings"
)

// negations are words of a name that turn what the others say, by themselves or before them.
var negations = strings.Fields(`
	no not non never neither without lack lacks lacking
	ohne kein keine keinen keiner keinem nicht nie niemals
	sans pas jamais aucun aucune
	sin nunca senza mai sem nao geen niet zonder nooit bez brak nigdy yok degil nashi
`)

// refusals are words of a name by which a consent is refused or taken back, and an opt-out is, too.
var refusals = strings.Fields(`
	refused refuse refuses refusal denied deny denial declined decline rejected reject rejection revoked revoke revokes revocation
	withdrawn withdraw withdrew withdrawal rescinded opposed objected objection forbidden prohibited disallowed disallow
	disabled disable off inactive deactivated limited limit restricted prevented
	abgelehnt abgelehnte ablehnung verweigert verweigerte verweigerung widerrufen widerrufene widerruf widersprochen entzogen
	zurueckgezogen zurueckgenommen aufgehoben deaktiviert untersagt
	refus refusee refuser retire retiree retrait revoque revoquee desactive desactivee
	rechazado rechazada rechazo denegado denegada retirado retirada revocado revocada revocacion negado negada desactivado desactivada
	rifiutato rifiutata rifiuto negato negata ritirato ritirata revocato revocata revoca disattivato disattivata
	recusado recusada recusa revogado revogada revogacao desativado desativada
	geweigerd ingetrokken afgewezen odmowa odmowiono odmowiona wycofana wycofano wycofanie cofnieta cofnieto
	reddedildi red iptal iptali kyohi tekkai torikeshi
`)

// lapses are words of a name by which a consent or an opt-out has no effect. A purpose beside them, as in
// tracking_expired, says nothing of people.
var lapses = strings.Fields(`
	expired lapsed ended cancelled canceled cancellation missing absent invalid failed inverted reversed undone unconfirmed unverified pending unknown unset
	abgelaufen abgelaufene gekuendigt storniert fehlt fehlend fehlende ungueltig ungueltige ausstehend
	expire expiree annule annulee manquant manquante invalide caducado caducada anulado anulada ausente
	scaduto scaduta annullato annullata mancante expirado expirada cancelado cancelada verlopen ontbreekt wygasla wygasl
`)

// isTurning reports whether a word may turn what the others of a name say.
func isTurning(word string) bool {
	return slices.Contains(negations, word) || slices.Contains(refusals, word) || slices.Contains(lapses, word)
}

// turns reports whether some of the words may turn what the others say: consent_refused, not_deleted and
// opt_out_revoked. It is false if these words are what the name says, as in revoked_at and optin_revoked.
// says is what saysWithin returns of the words.
func turns(words []string, says string) bool {
	var kept, turning []string
	purpose := true // may a purpose be what the others say
	for i, w := range words {
		switch number := w == "no" && (i == len(words)-1 || words[i+1] == "of"); {
		case isTurning(w) && !number: // order_no, no_of_orders
			turning = append(turning, w)
			purpose = purpose && !slices.Contains(lapses, w)
		default:
			kept = append(kept, w)
		}
	}
	if len(turning) == 0 {
		return says == SaysConsent && hasOptOut(words)
	}
	of := saysWithin(kept)
	if of == "" && !slices.ContainsFunc(kept, isShort) && (purpose || !slices.ContainsFunc(kept, isPurpose)) {
		of = saysWhole(kept)
	}
	if !isFlag(of) {
		return false
	}
	return says != SaysOptOut || of != SaysConsent || len(turning) > 1 || sensesOfNames()[turning[0]] != SaysOptOut
}

// hasOptOut reports whether one or two of the words are a name of opt-outs: consent_opt_out, consent_deleted.
func hasOptOut(words []string) bool {
	for i, w := range words {
		if sensesOfNames()[w] == SaysOptOut && !isShort(w) || i > 0 && sensesOfNames()[words[i-1]+w] == SaysOptOut {
			return true
		}
	}
	return false
}

// isShort reports whether a word of a name stands for other things as well: lat, dns.
func isShort(word string) bool { return len(word) <= 3 && sensesOfNames()[word] != "" }

func isPurpose(word string) bool { return slices.Contains(purposes, word) }

// joinedApart splits a word that is a saying name with one of the turning words before or behind it:
// nonconsent, consentrefused.
func joinedApart(words []string) []string {
	var apart []string
	for _, w := range words {
		apart = append(apart, wordApart(w)...)
	}
	return apart
}

func wordApart(word string) []string {
	const shortest = 6 // letters of the name
	if sensesOfNames()[word] != "" || len(word) <= shortest || len(word) > longestName {
		return []string{word}
	}
	apart := []string{word}
	for at := 2; at < len(word)-1; at++ {
		switch begin, end := word[:at], word[at:]; {
		case len(end) >= shortest && isFlag(sensesOfNames()[end]) && (isTurning(begin) || begin == "un"):
			apart = []string{"not", end}
		case len(begin) >= shortest && isFlag(sensesOfNames()[begin]) && isTurning(end):
			apart = []string{begin, end}
		}
	}
	return apart
}
