package names

import (
	"slices"
	"strings"

	"usher/internal/exports/rows"
)

// answerOfStateOf returns what a state of one or more words says: No for deleted by user, no consent and pending
// deletion. Several words are never a yes.
func answerOfStateOf(text string) Answer {
	if found := answerOfState(Canonical(text)); found != UnknownAnswer {
		return found
	}
	if '0' <= text[0] && text[0] <= '9' { // most cells of times
		return UnknownAnswer
	}
	words := joinedPairs(textsOf(wordsOf(text)))
	if len(words) < 2 {
		return UnknownAnswer
	}
	at := slices.IndexFunc(words, isNegation)
	switch {
	case at < 0 && saysGone(words, nil):
		return No
	case at > 0 && saysGone(words[:at], words[at:]): // deleted - not active
		return No
	case at >= 0 && slices.ContainsFunc(words[at+1:], isAgreed) && !slices.ContainsFunc(words, isGone) && !slices.ContainsFunc(words, isStateOfThing):
		return No // no consent, no longer subscribed
	}
	return UnknownAnswer // not deleted
}

// saysGone reports whether words of a state say that the person is gone or said no. denial are the words from a
// negation on, which say why, unless they are an answer: opted out: no. A thing beside a word that is said of things
// makes it one of these: order cancelled.
func saysGone(words, denial []string) bool {
	if last := len(denial) - 1; last == 0 || last == 1 && denial[1] == "longer" {
		return false
	}
	isOfThing := slices.ContainsFunc(words, isStateOfThing)
	isForThing := slices.ContainsFunc(denial, isStateOfThing)
	return slices.ContainsFunc(words, func(w string) bool {
		switch isDenied := len(denial) > 0 && (slices.Contains(goneBesides, w) || w == "optout"); {
		case !isGone(w), isDenied: // deletion not requested
			return false
		case slices.Contains(ofPersonsOnly, w), strings.HasPrefix(w, "donot"):
			return true
		}
		return !isOfThing && (!isForThing || slices.Contains(ofAnything, w)) // cancelled, no payment
	})
}

// ofPersonsOnly are words of states that are said of no thing.
var ofPersonsOnly = strings.Fields(`unsubscribed unsubscribe unsubscription optout optedout dnc deceased verstorben forgotten churned
	desinscrit desinscrite desabonne desabonnee desinscription disiscritto disiscritta descadastrado descadastrada uitgeschreven wypisany wypisana`)

// goneBesides are further words that say no within a state of several words, and otherSenses are those that may say
// something else there: Closed Won, card expired.
var (
	goneBesides = strings.Fields("declined deletion erasure unsubscribe unsubscription suppression loeschung abmeldung kuendigung desinscription eliminacion cancellazione exclusao verwijdering")
	otherSenses = strings.Fields("closed held cleaned expired baja")
)

// isGone reports whether a word of a state says that the person is gone or said no.
func isGone(word string) bool {
	return slices.Contains(goneWords, word) && !slices.Contains(otherSenses, word) || slices.Contains(goneBesides, word)
}

// isAgreed reports whether a negation before a word of a state says no.
func isAgreed(word string) bool {
	return slices.Contains(agreedWords, word) || len(word) > 3 && sensesOfNames()[word] == SaysConsent
}

var agreedWords = strings.Fields("active given granted allowed authorized authorised accepted aktiv erteilt actif activo attivo ativo actief")

// takesBack reports whether a state of several words has one that may take back a consent or an opt-out.
func takesBack(text string) bool {
	return slices.ContainsFunc(textsOf(wordsOf(text)), func(w string) bool {
		return slices.Contains(noWords, w) && slices.Contains(goneWords, w) && !slices.Contains(optWords, w)
	})
}

// joinedPairs returns the words of a state, with do not contact and opt out as one word each.
func joinedPairs(words []string) []string {
	var joined []string
	for len(words) > 0 {
		n := 1
		for _, most := range []int{3, 2} {
			if most <= len(words) && isJoinedState(strings.Join(words[:most], "")) {
				n = most
				break
			}
		}
		joined = append(joined, strings.Join(words[:n], ""))
		words = words[n:]
	}
	return joined
}

func isJoinedState(word string) bool {
	return slices.Contains(joinedStates, word) || strings.HasPrefix(word, "donot") && slices.Contains(goneWords, word)
}

var joinedStates = strings.Fields("optin optout optedin optedout")

// things are words for what is not a person, and is deleted or blocked all the same.
var things = strings.Fields(`order orders item items product products category categories card cards cart basket payment payments invoice invoices
	delivery deliveries shipment shipments file files page pages comment comments ticket tickets task tasks note notes
	coupon coupons minutes hours seconds days bestellung bestellungen artikel karte karten lieferung zahlung rechnung
	commande pedido pedidos ordine ordini zamowienie siparis`)

func isThing(word string) bool { return slices.Contains(things, word) }

// isStateOfThing reports whether a word of a state says that it is not of a person: booking cancelled.
func isStateOfThing(word string) bool { return isThing(word) || slices.Contains(stateThings, word) }

var stateThings = strings.Fields("return returns refund refunded booking reservation appointment loan lead offer quote transaction transfer trip ride flight wishlist bank buchung termin")

// isOfEvents reports whether a name is of events, such as those of a shop, in which remove deletes nobody.
func isOfEvents(name string) bool {
	words := textsOf(wordsOf(name))
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "event") || w == "last" || w == "lastaction" })
}

// answerOfEvent returns what an event of a log says: no for an opt-out, yes for an opt-in.
func answerOfEvent(cell []byte) Answer {
	switch text := string(rows.TrimSpace(cell)); {
	case text == "":
		return NoAnswer
	case IsLeaving(text):
		return No
	case slices.Contains(joining, Canonical(text)):
		return Yes
	}
	return UnknownAnswer
}

// IsLeaving reports whether a value of a log of changes is the event of an opt-out: unsubscribe, email_opt_out.
func IsLeaving(text string) bool {
	words := textsOf(wordsOf(text))
	if n := len(words); n > 0 && slices.Contains(ofPages, words[n-1]) {
		return false
	}
	if slices.ContainsFunc(words, isNegation) && !slices.Contains(leaving, strings.Join(words, "")) {
		return false
	}
	for n := 1; n <= 3; n++ {
		for i := range len(words) - n + 1 {
			if slices.Contains(leaving, strings.Join(words[i:i+n], "")) {
				return true
			}
		}
	}
	return false
}

// ofPages end the names of events in which nobody has left yet: unsubscribe_page_view.
var ofPages = strings.Fields("view views viewed shown seen link page click clicked clicks opened started")

func isNegation(word string) bool { return slices.Contains(negations, word) }
