//! Sessions with scripted planners.
