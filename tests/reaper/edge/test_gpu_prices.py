"""A folder of gpuhunt's catalogues is read whole; what is wrong in it is named by line."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from reaper.edge.gpu_prices import CatalogueError, offer_of, providers_in, read_catalogue

HEAD = (
    "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,"
    "gpu_vendor,flags,cpu_arch,provider_data\n"
)


@pytest.fixture
def folder(tmp_path):
    """Give `folder(*rows)`: a folder with one provider's file."""

    def write(*rows):
        (tmp_path / "aws.csv").write_text(HEAD + "".join(f"{row}\n" for row in rows))
        return tmp_path

    return write


def row(**given):
    usual = {
        "name": "p4d.24xlarge",
        "location": "us-east-1",
        "price": "32.7726",
        "cpu": "96",
        "memory": "1152.0",
        "count": "8",
        "gpu": "A100",
        "gpu_memory": "40.0",
        "spot": "False",
        "disk": "",
        "vendor": "nvidia",
    }
    return ",".join({**usual, **given}.values()) + ",,x86,{}"


def test_an_instance_with_gpus_is_an_offer(folder):
    (found,) = read_catalogue(folder(row()), "aws").offers

    assert (found.instance, found.region, found.gpus) == ("p4d.24xlarge", "us-east-1", 8)
    assert (found.price, found.memory, found.spot) == (Decimal("32.7726"), 40, False)


@pytest.mark.parametrize(
    "other", [{"count": "0", "gpu": ""}, {"vendor": "amd", "gpu": "MI300X"}, {"gpu": "tpu-v4"}]
)
def test_what_has_no_gpu_of_nvidia_is_left_out(folder, other):
    found = read_catalogue(folder(row(**other)), "aws")

    assert (found.offers, found.unread) == ((), ())


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"price": "cheap"}, "price: 'cheap' is no number"),
        ({"price": "-3"}, "price: '-3' is no price or count"),
        ({"price": "0"}, "price is zero or blank"),
        ({"price": ""}, "price is zero or blank"),
        ({"price": "NaN"}, "price: 'NaN' is no price or count"),
        ({"count": "1.5"}, "gpu_count is no whole number"),
    ],
)
def test_a_row_that_makes_no_sense_is_named_and_the_rest_read(folder, wrong, why):
    found = read_catalogue(folder(row(), row(**wrong)), "aws")

    assert len(found.offers) == 1
    assert found.unread[0].startswith("aws.csv:3: ")
    assert why in found.unread[0]


def test_the_version_changes_with_the_file(folder):
    one = read_catalogue(folder(row()), "aws").version
    other = read_catalogue(folder(row(price="1")), "aws").version

    assert one != other
    assert one.startswith("sha256 ")


def test_a_provider_without_a_file_is_named_with_those_that_have_one(folder):
    with pytest.raises(CatalogueError, match=r"gcp.csv is not there; providers .*: aws"):
        read_catalogue(folder(row()), "gcp")


def test_a_folder_that_is_none_is_named(tmp_path):
    with pytest.raises(CatalogueError, match="is no folder"):
        providers_in(tmp_path / "absent")


def test_an_item_of_gpuhunt_is_the_same_offer(folder):
    item = SimpleNamespace(
        provider="aws",
        instance_name="p4d.24xlarge",
        location="us-east-1",
        price=32.7726,
        gpu_count=8,
        gpu_name="A100",
        gpu_memory=40.0,
        spot=False,
    )

    assert (offer_of(item),) == read_catalogue(folder(row()), "aws").offers
