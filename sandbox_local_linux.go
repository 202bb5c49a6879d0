package mend

// tiers returns how programs can be isolated here, best first.
func tiers() []tierChoice {
	return []tierChoice{
		{IsolationBubblewrap, newBubblewrap},
		{IsolationNamespaces, newNamespaces},
	}
}
