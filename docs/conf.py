# SPDX-License-Identifier: Apache-2.0
# Sphinx makes the book of these pages: tools/book.  All it needs are Debian packages (tools/packages.txt), nothing from the network.
project = "uturn"
html_title = "uturn"
extensions = ["myst_parser"]
exclude_patterns = ["examples"]
myst_heading_anchors = 4  # headings are named as GitHub names them, so links work in both
nitpicky = True
smartquotes = False  # "--option" is no dash
html_theme = "furo"
html_static_path = ["pictures/book.css"]
html_css_files = ["book.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
