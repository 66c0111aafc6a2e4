"""A store on Redis, Valkey or Kvrocks, one server or a cluster, that several processes share."""
