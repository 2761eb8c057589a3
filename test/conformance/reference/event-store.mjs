/** Keeps the events of streams so that a client that comes back gets what it missed. */
export function createEventStore() {
  const events = [];
  return {
    async storeEvent(streamId, message) {
      events.push({ streamId, message });
      return String(events.length);
    },
    getStreamIdForEventId: async (eventId) => events[Number(eventId) - 1]?.streamId,
    async replayEventsAfter(lastEventId, { send }) {
      const last = Number(lastEventId);
      const streamId = events[last - 1]?.streamId;
      for (const [index, event] of events.entries()) {
        const isMessage = Object.hasOwn(event.message, 'jsonrpc');
        if (index >= last && event.streamId === streamId && isMessage) await send(String(index + 1), event.message);
      }
      return streamId;
    },
  };
}
