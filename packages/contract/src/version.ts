/** The protocol's release and feature level that clients check for. */
export const chatVersion = '3.1'
export const chatFeatureLevel = 27
