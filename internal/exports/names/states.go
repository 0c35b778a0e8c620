package names

import (
	"slices"
	"strings"
)

// states are words for the state of a row, of an account or of a consent, as Canonical returns
// them. No column of ids has such a name, but a column of flags may.
var states = strings.Fields(`
	active inactive activated deactivated enabled disabled blocked locked deleted removed banned suspended paused archived
	expired cancelled canceled terminated closed pending confirmed unconfirmed verified unverified subscribed unsubscribed
	denied allowed permitted granted refused rejected accepted declined authorized authorised unauthorized unauthorised
	restricted unrestricted forbidden prohibited determined undetermined notdetermined revoked withdrawn optin optout optedin
	optedout missing absent unavailable notavailable unset notset empty blank hidden redacted anonymized anonymised masked
	withheld limited invalid error yes no true false
	aktiv inaktiv aktiviert deaktiviert gesperrt geloescht entfernt abgelaufen gekuendigt storniert beendet offen bestaetigt
	unbestaetigt abgemeldet angemeldet verweigert abgelehnt erlaubt zugestimmt widerrufen fehlt fehlend leer nichtvorhanden
	nichtverfuegbar keine keiner ungueltig ja nein
	actif inactif supprime bloque refuse manquant oui non activo inactivo eliminado bloqueado rechazado si
`)

// IsState reports whether a word is a state, in any case and with any punctuation.
func IsState(word string) bool { return slices.Contains(states, Canonical(word)) }
