{{- /* The files that the chart mounts: the name of the volume, the folder, the Secret or
ConfigMap, and the configuration keys that name the files. */ -}}
{{- define "usher.mounts" -}}
{{- range $server, $secrets := .Values.tls }}
{{- with $secrets.ca }}
- {name: {{ $server }}-ca, path: /tls/{{ $server }}-ca, secret: {{ . }}, keys: {{ dict (printf "%s_CA" (upper $server)) (printf "/tls/%s-ca/ca.crt" $server) | toJson }}}
{{- end }}
{{- with $secrets.cert }}
{{- $folder := printf "/tls/%s-cert" $server }}
- {name: {{ $server }}-cert, path: {{ $folder }}, secret: {{ . }}, keys: {{ dict (printf "%s_CERT" (upper $server)) (printf "%s/tls.crt" $folder) (printf "%s_KEY" (upper $server)) (printf "%s/tls.key" $folder) | toJson }}}
{{- end }}
{{- end }}
{{- with .Values.console.users }}
- {name: users, path: /console/users, secret: {{ . }}, keys: {CONSOLE_USERS: /console/users/users}}
{{- end }}
{{- with .Values.console.tls }}
- {name: console-tls, path: /console/tls, secret: {{ . }}, keys: {CONSOLE_TLS_CERT: /console/tls/tls.crt, CONSOLE_TLS_KEY: /console/tls/tls.key}}
{{- end }}
{{- if .Values.intake.enabled }}
- {name: tokens, path: /intake/tokens, secret: {{ required "intake.tokens names the Secret with the token file" .Values.intake.tokens }}, keys: {INTAKE_TOKENS: /intake/tokens/tokens}}
{{- with .Values.intake.tls }}
- {name: tls, path: /intake/tls, secret: {{ . }}, keys: {INTAKE_TLS_CERT: /intake/tls/tls.crt, INTAKE_TLS_KEY: /intake/tls/tls.key}}
{{- end }}
{{- end }}
{{- range $kind := list "rules" "feeds" }}
{{- $files := index $.Values $kind }}
{{- if or $files.existingConfigMap $files.files }}
- {name: {{ $kind }}, path: /{{ $kind }}, configMap: {{ $files.existingConfigMap | default (printf "%s-%s" (include "usher.name" $) $kind) }}, keys: { {{- upper $kind }}_FILES: /{{ $kind }}}}
{{- end }}
{{- end }}
{{- end -}}

{{- /* A configuration value as text. Helm reads every number as a float, which it would print
as 1e+09. */ -}}
{{- define "usher.value" -}}
{{- if kindIs "slice" . }}{{ join "," . }}{{ else if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end -}}
{{- end -}}

{{- /* The configuration as environment variables, without secrets. */ -}}
{{- define "usher.config" -}}
{{- $keys := dict "CONSOLE_LISTEN" "0.0.0.0:8470" "LOG_FORMAT" "json" -}}
{{- range include "usher.mounts" . | fromYamlArray }}
{{- range $key, $path := .keys }}{{ $_ := set $keys $key $path }}{{ end }}
{{- end -}}
{{- if .Values.exports.volume }}{{ $_ := set $keys "SOURCES_ALLOW" "/exports" }}{{ end -}}
{{- if .Values.ledger.volume }}{{ $_ := set $keys "LEDGER_URL" "/ledger" }}{{ end -}}
{{- with .Values.console.ingress }}
{{- if .enabled }}
{{- $_ := set $keys "CONSOLE_HOSTS" (required "console.ingress.host is the host name of the console" .host) }}
{{- $_ := set $keys "CONSOLE_URL" (printf "%s://%s" (ternary "https" "http" (ne .tls "")) .host) }}
{{- if not $.Values.console.tls }}{{ $_ := set $keys "CONSOLE_PLAIN_HTTP" "anywhere" }}{{ end }}
{{- end }}
{{- end -}}
{{- if .Values.intake.enabled }}
{{- $_ := set $keys "INTAKE_LISTEN" "0.0.0.0:8460" }}
{{- if not .Values.intake.tls }}{{ $_ := set $keys "INTAKE_PLAIN_HTTP" "anywhere" }}{{ end }}
{{- end -}}
{{- $_ := required "config.PLATFORM_URL is required: the platform's base URL, with or without /v3" .Values.config.PLATFORM_URL -}}
{{- $_ := required "config.PLATFORM_ADVERTISER is required: the advertiser of jobs that do not name one" .Values.config.PLATFORM_ADVERTISER -}}
{{- range $key, $value := .Values.config }}
{{- if not (kindIs "invalid" $value) }}{{ $_ := set $keys $key (include "usher.value" $value) }}{{ end }}
{{- end -}}
{{- if and $keys.CONSOLE_USERS (not $keys.CONSOLE_TLS_CERT) (ne (get $keys "CONSOLE_PLAIN_HTTP") "anywhere") }}
{{- fail "console.users needs TLS: set console.tls, or console.ingress, or config.CONSOLE_PLAIN_HTTP to anywhere if something else terminates TLS" }}
{{- end }}
{{- range $key, $value := $keys }}
USHER_{{ $key }}: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "usher.consoleScheme" -}}
{{- ternary "HTTPS" "HTTP" (not (not (include "usher.config" . | fromYaml).USHER_CONSOLE_TLS_CERT)) -}}
{{- end -}}

{{- /* The versions of the Secrets and ConfigMaps that usher reads only when it starts. They are
empty without a connection to a cluster, as in helm template. */ -}}
{{- define "usher.versions" -}}
{{- $names := list (list "Secret" .Values.existingSecret) -}}
{{- range concat .Values.extraEnvFrom .Values.extraEnv .Values.extraVolumes }}
{{- $secret := coalesce (dig "secretRef" "name" "" .) (dig "valueFrom" "secretKeyRef" "name" "" .) (dig "secret" "secretName" "" .) }}
{{- $configMap := coalesce (dig "configMapRef" "name" "" .) (dig "valueFrom" "configMapKeyRef" "name" "" .) (dig "configMap" "name" "" .) }}
{{- $names = concat $names (list (list "Secret" $secret) (list "ConfigMap" $configMap)) }}
{{- end -}}
{{- range $names }}
{{- if index . 1 }}
{{- with lookup "v1" (index . 0) $.Release.Namespace (index . 1) }}{{ .metadata.uid }}/{{ .metadata.resourceVersion }} {{ end }}
{{- end }}
{{- end -}}
{{- end -}}
