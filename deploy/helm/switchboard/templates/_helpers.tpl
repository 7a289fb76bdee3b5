{{- define "switchboard.fullname" -}}
{{- default .Release.Name .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "switchboard.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "switchboard.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "switchboard.selectorLabels" . }}
{{- end }}

{{- define "switchboard.secretName" -}}
{{- if .Values.secrets.create }}{{ include "switchboard.fullname" . }}{{ else }}{{ .Values.secrets.existingSecret }}{{ end }}
{{- end }}

{{- define "switchboard.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ default $.Chart.AppVersion .tag }}{{ end }}
{{- end }}
{{- end }}

{{/* The secrets of this release: key of the Secret, setting, value. Those that the settings do not need are left out. */}}
{{- define "switchboard.secretFiles" -}}
{{- $all := list
  (list "master-key" "MASTER_KEY" .Values.secrets.masterKey)
  (list "operator-key" "OPERATOR_KEY" .Values.secrets.operatorKey)
  (list "api-key" "API_KEY" .Values.secrets.apiKey)
  (list "database-url" "DATABASE_URL" .Values.secrets.databaseUrl) }}
{{- if hasPrefix "s3://" .Values.settings.FILES_URL }}
{{- $all = concat $all (list
  (list "files-access-key" "FILES_ACCESS_KEY" .Values.secrets.filesAccessKey)
  (list "files-secret-key" "FILES_SECRET_KEY" .Values.secrets.filesSecretKey)) }}
{{- end }}
{{- if .Values.secrets.withOtlpHeaders }}
{{- $all = append $all (list "otlp-headers" "OTEL_EXPORTER_OTLP_HEADERS" .Values.secrets.otlpHeaders) }}
{{- end }}
{{- toJson $all }}
{{- end }}

{{/* A number from a values file is a float64, which prints as 1e+06 from a million on. */}}
{{- define "switchboard.settingText" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}
