/** Currencies without a smaller unit such as cents. */
const currenciesWithoutCents = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
)

/** Formats an amount like `$12.50`, `12.50 EUR` or `1250 JPY`. */
export function showAmount(amount: number, currency: string): string {
  const formattedValue = currenciesWithoutCents.has(currency.toLowerCase())
    ? String(amount)
    : (amount / 100).toFixed(2)
  if (currency.toLowerCase() !== 'usd') return `${formattedValue} ${currency.toUpperCase()}`
  return formattedValue.startsWith('-') ? `-$${formattedValue.slice(1)}` : `$${formattedValue}`
}
