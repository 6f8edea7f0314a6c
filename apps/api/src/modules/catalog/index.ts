/**
 * catalog — owns plan, product, vendor, provider, region, price.
 * Promises: one price for a product, computed here and nowhere else (S34).
 * Listens to nothing.
 */

export { catalogHandlers } from './handlers.ts';
export { hasRoom } from './has-room.ts';
export { type Product, productById, type Quote, quote } from './quote.ts';
export { seedDemoCatalog } from './seed-demo.ts';
export { placeName, placesView } from './view.ts';
