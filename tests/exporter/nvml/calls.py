"""Every function of the driver's library that the exporter calls; a test holds the list true."""

#: Asked of a card that was cut, and of no other.
ON_MIG = (
    "nvmlDeviceGetMaxMigDeviceCount",
    "nvmlDeviceGetMigDeviceHandleByIndex",
    "nvmlDeviceGetGpuInstanceId",
    "nvmlDeviceGetComputeInstanceId",
    "nvmlGpmMigSampleGet",
)
#: Asked of a card without a monitor.
ON_AMPERE = ("nvmlDeviceGetFieldValues",)

ON_CARD = (
    *ON_MIG,
    *ON_AMPERE,
    "nvmlDeviceGetArchitecture",
    "nvmlDeviceGetClockInfo",
    "nvmlDeviceGetComputeRunningProcesses",
    "nvmlDeviceGetCurrentClocksEventReasons",
    "nvmlDeviceGetDecoderUtilization",
    "nvmlDeviceGetEncoderUtilization",
    "nvmlDeviceGetEnforcedPowerLimit",
    "nvmlDeviceGetGraphicsRunningProcesses",
    "nvmlDeviceGetHandleByIndex",
    "nvmlDeviceGetJpgUtilization",
    "nvmlDeviceGetMemoryInfo",
    "nvmlDeviceGetMigMode",
    "nvmlDeviceGetMinorNumber",
    "nvmlDeviceGetName",
    "nvmlDeviceGetOfaUtilization",
    "nvmlDeviceGetPciInfo",
    "nvmlDeviceGetPowerUsage",
    "nvmlDeviceGetRemappedRows",
    "nvmlDeviceGetTemperature",
    "nvmlDeviceGetTotalEccErrors",
    "nvmlDeviceGetTotalEnergyConsumption",
    "nvmlDeviceGetUUID",
    "nvmlDeviceGetUtilizationRates",
    "nvmlDeviceRegisterEvents",
    "nvmlGpmMetricsGet",
    "nvmlGpmQueryDeviceSupport",
    "nvmlGpmSampleGet",
)
NODE_CALLS = frozenset(
    {
        "nvmlDeviceGetCount",
        "nvmlEventSetCreate",
        "nvmlEventSetFree",
        "nvmlEventSetWait",
        "nvmlGpmSampleAlloc",
        "nvmlGpmSampleFree",
        "nvmlInit",
        "nvmlShutdown",
        "nvmlSystemGetDriverVersion",
    }
)
#: Asked of devices that several allocations share.
WHEN_SHARED = ("nvmlDeviceGetProcessUtilization",)
#: Asked where a newer one is missing.
FALLBACKS = ("nvmlDeviceGetCurrentClocksThrottleReasons",)
