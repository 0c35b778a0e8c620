{{- define "usher.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end }}
{{- end -}}

{{- /* The fields that all pods share. */ -}}
{{- define "usher.pod" -}}
automountServiceAccountToken: false
# Otherwise a Service named usher would set variables that begin with USHER_.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- end -}}

{{- /* The fields that all containers share. */ -}}
{{- define "usher.container" -}}
image: {{ include "usher.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources: {{- toYaml .Values.resources | nindent 2 }}
{{- end -}}

{{- /* The variables of a worker. */ -}}
{{- define "usher.workerEnvironment" -}}
envFrom:
  - configMapRef:
      name: {{ include "usher.name" . }}
  {{- with .Values.existingSecret }}
  - secretRef:
      name: {{ . }}
  {{- end }}
  {{- with .Values.extraEnvFrom }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
env:
  - name: USHER_WORKER
    valueFrom:
      fieldRef:
        fieldPath: metadata.name
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "usher.workerVolumeMounts" -}}
{{- $mounts := include "usher.mounts" . | fromYamlArray }}
{{- if or $mounts .Values.exports.volume .Values.ledger.volume .Values.extraVolumeMounts -}}
volumeMounts:
  {{- if .Values.exports.volume }}
  - {name: exports, mountPath: /exports, readOnly: true}
  {{- end }}
  {{- if .Values.ledger.volume }}
  - {name: ledger, mountPath: /ledger}
  {{- end }}
  {{- range $mounts }}
  - {name: {{ .name }}, mountPath: {{ .path }}, readOnly: true}
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "usher.workerVolumes" -}}
{{- $mounts := include "usher.mounts" . | fromYamlArray }}
{{- if or $mounts .Values.exports.volume .Values.ledger.volume .Values.extraVolumes -}}
volumes:
  {{- with .Values.exports.volume }}
  - name: exports
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.ledger.volume }}
  - name: ledger
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- range $mounts }}
  {{- include "usher.volume" . | nindent 2 }}
  {{- end }}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* The volume of one of usher.mounts. */ -}}
{{- define "usher.volume" -}}
- name: {{ .name }}
  {{- if .secret }}
  secret: {secretName: {{ .secret }}}
  {{- else }}
  configMap: {name: {{ .configMap }}}
  {{- end }}
{{- end -}}
