import {
  type Compilable,
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Db, Schema } from '../ports/database.ts';

/** Placeholder for a value while a query is built. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
const places = new Proxy(
  {},
  {
    get: (_, name) => new Place(String(name)),
    ownKeys: () => {
      throw new TypeError('A prepared query names its values one by one');
    },
  },
);

/** Builds queries without executing them. */
const writer = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * A query that is compiled once instead of per call: for frequent reads, building the statement was
 * most of the work.
 * @param build gets placeholders instead of values; it may only pass them to the query
 */
export function prepareQuery<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let query: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    query ??= build(writer, places as Values).compile();
    const parameters = query.parameters.map(value =>
      value instanceof Place ? values[value.name as keyof Values] : value,
    );
    return (await db.executeQuery<Row>(CompiledQuery.raw(query.sql, parameters))).rows;
  };
}
