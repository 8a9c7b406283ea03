"""The OpenAPI and AsyncAPI documents and their pages."""
