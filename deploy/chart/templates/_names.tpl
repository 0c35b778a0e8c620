{{- define "usher.name" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "usher.appName" -}}
{{- .Values.nameOverride | default "usher" | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "usher.selector" -}}
app.kubernetes.io/name: {{ include "usher.appName" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "usher.chartLabels" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "usher.labels" -}}
{{ include "usher.selector" . }}
{{ include "usher.chartLabels" . }}
{{- end -}}

{{- /* The labels of pods that are not workers. The selector must not match them, or they would
receive requests of the Service. Takes the root context and a component. */ -}}
{{- define "usher.componentLabels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "usher.appName" $root }}-{{ index . 1 }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{ include "usher.chartLabels" $root }}
{{- end -}}

{{- define "usher.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "usher.name" .) -}}
{{- end -}}
