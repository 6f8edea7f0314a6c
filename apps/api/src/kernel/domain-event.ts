import type { Db } from '../ports/database.ts';

/** A domain event. Its type is declared once, by the module that owns its subject. */
export type DomainEvent = { type: string };

/**
 * Publishes an event to its listeners, which `compose/reactions.ts` names. They run in the caller's
 * transaction one after the other; a listener that throws rolls it back.
 */
export type Publish<Event extends DomainEvent> = (tx: Db, event: Event) => Promise<void>;

/** Reaction to an event of this type. */
export type Listener<Event extends DomainEvent> = (tx: Db, event: Event) => Promise<unknown>;

/** Listeners of each type of event, in their order. */
export type Listeners<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: readonly Listener<Extract<Event, { type: Type }>>[];
};

/** A publisher for these listeners. */
export const publisherTo =
  <Event extends DomainEvent>(listeners: Listeners<Event>): Publish<Event> =>
  async (tx, event) => {
    const concerned = listeners[event.type as Event['type']] as unknown as readonly Listener<Event>[];
    for (const listener of concerned) await listener(tx, event);
  };
