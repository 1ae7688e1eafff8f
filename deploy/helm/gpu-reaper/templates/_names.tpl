{{- define "gpu-reaper.labels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: gpu-reaper
{{- end }}

{{- define "gpu-reaper.selector" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{- define "gpu-reaper.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "gpu-reaper.pull" -}}
image: {{ include "gpu-reaper.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- /* What every container here is held to, whatever else it needs. */ -}}
{{- define "gpu-reaper.container" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
{{- end }}
