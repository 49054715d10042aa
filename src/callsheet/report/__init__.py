"""What people read: tables, figures, the HTML page, exports."""

from callsheet.report.page.write import make_report

__all__ = ["make_report"]
