/** Begins the keys of metadata that the protocol keeps for itself: they speak of one hop and are never passed on. */
export const reserved = 'io.modelcontextprotocol/';
