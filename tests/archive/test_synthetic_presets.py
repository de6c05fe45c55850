"""Presets in the likeness of the paper's websites."""

import pytest

from datahound.archive.synthetic import open_synthetic, paper_sites, preset, preset_names
from datahound.archive.synthetic.layout import plan_sections
from datahound.lab.characteristics import measure_site

AVAILABLE = 2500
LIKE = 0.15


@pytest.mark.parametrize("name", paper_sites())
def test_a_preset_is_like_its_website(name):
    """Measured by walking it all, a preset has the size, density, share, depth and target size
    of the paper within 15 %, at the scale asked for.
    """
    site = paper_sites()[name]
    scale = AVAILABLE / site.available
    found = measure_site(open_synthetic(f"synthetic:{name}?scale={scale}"))
    assert found.available == pytest.approx(site.available * scale, rel=LIKE)
    assert found.density == pytest.approx(site.targets / site.available, rel=LIKE)
    assert found.linking == pytest.approx(site.linking, rel=LIKE)
    assert found.target_depth.mean == pytest.approx(site.depth, rel=LIKE)
    assert found.target_size.mean == pytest.approx(site.size_mb * 1e6, rel=LIKE)


@pytest.mark.parametrize("name", preset_names())
def test_a_full_preset_is_planned_as_asked(name):
    """At full size the plan has exactly the pages and targets of the preset, and its mean depth."""
    settings = preset(name)
    sections = plan_sections(settings)
    cells = [(s.base + step, cell) for s in sections for step, cell in enumerate(s.cells)]
    files = sum(cell.files for _, cell in cells)
    assert sum(sum(s.shape.spine) + s.articles for s in sections) == settings.pages
    assert files == settings.targets
    assert sum(cell.holders for _, cell in cells) == settings.linking_pages
    depth = sum((level + 1) * cell.files for level, cell in cells) / files
    assert depth == pytest.approx(settings.depth, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["be", "ju", "ok"])
def test_a_larger_preset_is_like_its_website(name):
    """At twenty thousand pages, too."""
    site = paper_sites()[name]
    found = measure_site(open_synthetic(f"synthetic:{name}?scale={20_000 / site.available}"))
    assert found.linking == pytest.approx(site.linking, rel=LIKE)
    assert found.target_depth.mean == pytest.approx(site.depth, rel=LIKE)
    assert found.target_size.mean == pytest.approx(site.size_mb * 1e6, rel=LIKE)


def test_the_demo_is_small_and_has_its_data_in_certain_sections():
    """The built-in site has some 2,500 URLs, 400 targets, and sections without any."""
    archive = open_synthetic("synthetic:demo")
    found = measure_site(archive)
    assert 2000 <= found.available <= 3000
    assert 350 <= found.targets <= 450
    held = [sum(cell.files for cell in section.cells) for section in archive._layout.sections]
    assert sum(number == 0 for number in held) >= len(held) // 4
    assert max(held) > 50
