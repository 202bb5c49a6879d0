. ./price/price.sh
got=$(total 3 250)
[ "$got" = 750 ] || { echo "FAIL total 3 250: got $got, want 750"; exit 1; }
