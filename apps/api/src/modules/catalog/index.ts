/**
 * catalog — owns plan, product, vendor, provider, region, price.
 * Promises: one price per product, computed only here (S34); one rate of VAT per country and day (M4).
 * Listens to nothing.
 */

export { type Catalogue, CatalogueFault, checkCatalogue, placeId } from './check-catalogue.ts';
export { compareCatalogues, touchesPrices } from './compare-catalogues.ts';
export { catalogHandlers } from './handlers.ts';
export { hasRoom, hasRoomFor } from './has-room.ts';
export { importCatalogue } from './import-catalogue.ts';
export { catalogueLacks } from './lacks.ts';
export {
  entitlementsOf,
  offered,
  type Product,
  productAsAgreed,
  productById,
  type Quote,
  quote,
  type SoldProduct,
  soldProduct,
  soldProductOf,
} from './quote.ts';
export { readCatalogue } from './read-catalogue.ts';
export { seedDemoCatalog } from './seed-demo.ts';
export { comingVat, shownDay, type VatRates, vatRateOf } from './vat-rates.ts';
export { pricedView, soldCurrencies } from './view.ts';
