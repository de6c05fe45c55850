"""The pages: each view returns the values of a template, which are its JSON as well."""
