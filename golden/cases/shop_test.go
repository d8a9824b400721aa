package cases_test

// Numbers whose Go types were chosen: what is sent of them, what is read, and what is
// refused with its place.

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/cases/shop"
	"github.com/mcpgen/mcpgen/golden/cases/shop/shoptest"
	"github.com/mcpgen/mcpgen/runtime"
)

func TestDecimalArguments(t *testing.T) {
	for want, args := range map[string]shop.PlaceOrderArgs{
		`{"amount":0.10,"discount":null,"lines":[]}`: {Amount: "0.10"},
		`{"amount":9007199254740993,"discount":0.1,"tip":0.0,"tax":null,"free":0,"priority":2,"customer":-9007199254740993,"coupons":[18446744073709551615],` +
			`"rates":{"eur":1.10},"range":[0.1,9007199254740993],"lines":[{"price":12.50,"count":9007199254740993}],"payment":{"kind":"cash","sum":1e400}}`: {
			Amount: "9007199254740993", Discount: new(json.Number("0.1")), Lines: []shop.Article{{Count: 9007199254740993, Price: "12.50"}},
			Coupons: []uint64{18446744073709551615}, Customer: new(int64(-9007199254740993)), Free: "0", Payment: shop.PlaceOrderPaymentCash{Sum: "1e400"},
			Priority: 2, Range: &[2]json.Number{"0.1", "9007199254740993"}, Rates: map[string]json.Number{"eur": "1.10"},
			Tax: runtime.Null[json.Number](), Tip: "0.0",
		},
		`{"amount":1,"discount":null,"tax":0.1,"lines":[]}`: {Amount: "1", Tax: runtime.Some(json.Number("0.1"))},
	} {
		rec := &recorder{answer: `{}`}
		if _, err := shop.New(rec).PlaceOrder(t.Context(), args); err != nil || string(rec.last.Args) != want {
			t.Errorf("sent %s, %v\nwant %s", rec.last.Args, err, want)
		}
		var back shop.PlaceOrderArgs
		if err := json.Unmarshal([]byte(want), &back); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if again, err := json.Marshal(back); err != nil || !strings.Contains(string(again), `"amount":`+string(args.Amount)) {
			t.Errorf("%s became %s, %v", want, again, err)
		}
	}
}

func TestDecimalArgumentsThatAreNone(t *testing.T) {
	lines := []shop.Article{{Price: "1"}}
	for want, args := range map[string]shop.PlaceOrderArgs{
		`at "/amount": want a number, got an empty json.Number`:                             {Lines: lines},
		`at "/lines/1/price": want a number such as 12.50, got the json.Number "12,50"`:     {Amount: "1", Lines: []shop.Article{{Price: "1"}, {Price: "12,50"}}},
		`at "/tip": want a number such as 12.50, got the json.Number "free"`:                {Amount: "1", Tip: "free"},
		`at "/tax": want a number such as 12.50, got the json.Number "null"`:                {Amount: "1", Tax: runtime.Some(json.Number("null"))},
		`at "/rates/eur": want a number such as 12.50, got the json.Number "1.1\",\"x\":\"`: {Amount: "1", Rates: map[string]json.Number{"eur": `1.1","x":"`}},
		`at "/payment/sum": want a number, got an empty json.Number; zero is "0"`:           {Amount: "1", Payment: shop.PlaceOrderPaymentCash{}},
		`at "/discount": want a number such as 12.50, got the json.Number "Infinity"`:       {Amount: "1", Discount: new(json.Number("Infinity"))},
	} {
		rec := &recorder{answer: `{}`}
		_, err := shop.New(rec).PlaceOrder(t.Context(), args)
		if !errors.Is(err, runtime.ErrInvalidArgs) || !strings.Contains(err.Error(), want) || rec.last.Name != "" {
			t.Errorf("want %s\ngot %v", want, err)
		}
	}
}

func TestDecimalResults(t *testing.T) {
	answer := `{"total":0.1,"count":3.0,"orders":[{"id":9007199254740993,"amount":12.50,"fees":[0.10,9007199254740993],"state":"paid"},{"id":1,"amount":null}],"payment":{"kind":"card","sum":0.30}}`
	got, err := shop.New(&recorder{answer: answer}).GetOrders(t.Context(), shop.GetOrdersArgs{Page: new(2), State: shop.StatusOpen})
	if err != nil {
		t.Fatal(err)
	}
	first := got.Orders[0]
	amount, _ := first.Amount.Get()
	if f, err := amount.Float64(); err != nil || f != 12.5 || amount != "12.50" {
		t.Errorf("amount is %q, %v, %v", amount, f, err)
	}
	if got.Total != "0.1" || *got.Count != 3 || first.ID != 9007199254740993 || first.Fees[1] != "9007199254740993" ||
		!got.Orders[1].Amount.IsNull() || first.State != shop.StatusPaid || got.Payment.(shop.PaymentCard).Sum != "0.30" {
		t.Errorf("got %+v", got)
	}
	sent, err := json.Marshal(got)
	if want := strings.Replace(answer, "3.0,", "3,", 1); err != nil || len(sent) != len(want) || !strings.Contains(string(sent), `"fees":[0.10,9007199254740993]`) {
		t.Errorf("sent %s, %v", sent, err)
	}
}

// What a chosen type does not hold is an error with its place, never another number.
func TestResultsThatChosenTypesDoNotHold(t *testing.T) {
	for answer, want := range map[string]string{
		`{"total":1,"count":1.5}`:                             "/count",
		`{"total":1,"count":9223372036854775808}`:             "/count",
		`{"total":1,"orders":[{"id":1},{"id":0.5}]}`:          "/orders/1/id",
		`{"total":"1"}`:                                       "/total",
		`{"total":null}`:                                      "/total",
		`{"total":1,"orders":[{"id":1,"fees":[1,null]}]}`:     "/orders/0/fees/1",
		`{"total":1,"orders":[{"id":1,"amount":{"a":"12"}}]}`: "/orders/0/amount",
	} {
		_, err := shop.New(&recorder{answer: answer}).GetOrders(t.Context(), shop.GetOrdersArgs{})
		bad, ok := errors.AsType[*runtime.DecodeError](err)
		if !ok || bad.Pointer != want {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// A fake reads and writes the same types, and checks them against the server's schema.
func TestChosenTypesInFakes(t *testing.T) {
	fake := shoptest.New(t)
	fake.OnPlaceOrder(func(_ context.Context, args shop.PlaceOrderArgs) (*runtime.Result, error) {
		if args.Amount != "0.10" || args.Priority != 7 || args.Payment.(shop.PlaceOrderPaymentCard).Sum != "0.10" {
			t.Errorf("got %+v", args)
		}
		return &runtime.Result{}, nil
	})
	fake.OnGetOrders(func(context.Context, shop.GetOrdersArgs) (*shop.GetOrdersResult, error) {
		return &shop.GetOrdersResult{Total: "0.10", Orders: []shop.Order{{ID: 9007199254740993, Amount: runtime.Some(json.Number("0.1"))}}}, nil
	})
	client := shop.New(fake)
	args := shop.PlaceOrderArgs{Amount: "0.10", Priority: 7, Payment: shop.PlaceOrderPaymentCard{Sum: "0.10"}}
	if _, err := client.PlaceOrder(t.Context(), args); err != nil {
		t.Error(err)
	}
	got, err := client.GetOrders(t.Context(), shop.GetOrdersArgs{})
	if err != nil || got.Total != "0.10" || got.Orders[0].ID != 9007199254740993 {
		t.Errorf("got %+v, %v", got, err)
	}
}
