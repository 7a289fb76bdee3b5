// Stands in for the runtime of n8n, whose licence is not an open-source licence: the tested nodes use only these.
class NodeOperationError extends Error {
  constructor(_node, error, { description } = {}) {
    super(error instanceof Error ? error.message : String(error))
    this.description = description
  }
}

class NodeApiError extends Error {
  constructor(_node, { message, description } = {}) {
    super(String(message))
    this.description = description
  }
}

const NodeConnectionTypes = { Main: 'main' }

module.exports = { NodeOperationError, NodeApiError, NodeConnectionTypes }
