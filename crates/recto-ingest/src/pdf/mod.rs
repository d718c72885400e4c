//! PDF documents through hayro.
