{{- /* gpu-reaper.yaml as the chart writes it; reaper.config comes over it, key by key. */ -}}
{{- define "gpu-reaper.config" -}}
{{- $reaper := .Values.reaper -}}
cluster: {{ .Values.cluster | quote }}
activity:
  kind: exporters
  kubernetes:
    namespace: {{ .Values.exporter.namespace }}
    service: gpu-exporter
  {{- if $reaper.exporters.caSecret }}
  scheme: https
  ca: /secrets/{{ $reaper.exporters.caSecret }}/ca.crt
  server_name: {{ $reaper.exporters.serverName }}
  {{- end }}
  {{- if $reaper.exporters.passwordSecret }}
  basic:
    username: {{ $reaper.exporters.username }}
    password: {file: /secrets/{{ $reaper.exporters.passwordSecret }}/password}
  {{- end }}
platforms:
  kubernetes: {}
notifiers:
  - kind: console
  {{- if ne .Values.mode "observe" }}
  - kind: kubernetes
  {{- end }}
policies: [policies.yaml]
# Whoever may run commands in the reaper's pod is an operator there.
operators:
  users: [gpu-reaper]
{{- if $reaper.postgresql.url }}
store:
  url: {{ $reaper.postgresql.url }}
  {{- if $reaper.postgresql.passwordSecret }}
  password: {file: /secrets/{{ $reaper.postgresql.passwordSecret }}/password}
  {{- end }}
{{- end }}
web:
  # The pages stay in the pod until people sign in: kubectl port-forward leads to them.
  listen: 127.0.0.1:19450
  machines: 0.0.0.0:19451
  {{- if $reaper.metricsTokenSecret }}
  metrics_token: {file: /secrets/{{ $reaper.metricsTokenSecret }}/token}
  {{- end }}
  {{- if $reaper.postgresql.keySecret }}
  key: {file: /secrets/{{ $reaper.postgresql.keySecret }}/key}
  {{- end }}
{{- end }}

{{- define "gpu-reaper.files" -}}
gpu-reaper.yaml: |
  {{- $written := include "gpu-reaper.config" . | fromYaml }}
  {{- mergeOverwrite $written .Values.reaper.config | toYaml | nindent 2 }}
policies.yaml: |
  {{- .Values.reaper.policies | default (.Files.Get (printf "files/policies/%s.yaml" .Values.mode)) | trim | nindent 2 }}
{{- end }}

{{- /* Names of the secrets that are mounted at /secrets/<name>, each once, as JSON. */ -}}
{{- define "gpu-reaper.secrets" -}}
{{- $reaper := .Values.reaper -}}
{{- $own := list $reaper.exporters.caSecret $reaper.exporters.passwordSecret $reaper.metricsTokenSecret -}}
{{- $own = concat $own (list $reaper.postgresql.passwordSecret $reaper.postgresql.keySecret) -}}
{{- concat $reaper.secrets $own | compact | uniq | sortAlpha | toJson -}}
{{- end }}
