"""What people read: tables, figures, the HTML page, exports."""
