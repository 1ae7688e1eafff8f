"""Pages as dcgm-exporter writes them, drawn with a few words."""

CARD, OTHER = "GPU-c4529c8d-69c4-b61d-e0bc-7b2460096005", "GPU-bc5610b9-79c8-fedd-8899-07539c7f868a"


def row(field, value, *, uuid=CARD, host="Hostname", mig=None, pod="", bus="00000000:53:00.0"):
    labels = [
        'gpu="0"', f'UUID="{uuid}"', f'pci_bus_id="{bus}"', 'device="nvidia0"',
        'modelName="NVIDIA A100-SXM4-80GB"', f'{host}="node7"',
    ]  # fmt: skip
    if mig is not None:
        labels += ['GPU_I_PROFILE="1g.10gb"', f'GPU_I_ID="{mig}"']
    if pod:
        labels += ['container="main"', 'namespace="ns"', f'pod="{pod}"', 'pod_uid=""']
    return f"DCGM_FI_{field}{{{','.join(labels)}}} {value}\n"


def page(*fields, **more):
    """Write a page: temperature, and a row for each `"NAME value"` of the profiling module."""
    rows = [row("DEV_GPU_TEMP", 30, **more)]
    for item in fields:
        name, _, value = item.partition(" ")
        rows.append(row(f"PROF_{name}", value, **more))
    return "".join(rows)
