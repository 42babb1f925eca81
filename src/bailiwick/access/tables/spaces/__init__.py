"""Document “spaces”: space roles, security roles, and what data tasks need."""
