"""Rows of tables that people bring: lines, columns and cells of CSV files, JSON lists and lines, as samples."""
