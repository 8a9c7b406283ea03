"""Languages of the service: text catalogues, plural forms and the choice by Accept-Language."""
