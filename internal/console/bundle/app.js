/* Generated from e9a196aa096b3012ae3aaf69fe2fea788ef31944b96adaacda4b5c630760576c; see licenses.txt. */
var Yo,tt,sc,ah,ba,ec,oc,rc,li,Uo,oo,ic,ui,di,ci,sh,Go={},Ko=[],oh=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,Zo=Array.isArray;function Qn(e,t){
for(var n in t)e[n]=t[n];return e}function pi(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function hi(e,t,n){var s,o,r,l={};for(r in t)r=="key"?s=t[r]:r=="r\
ef"?o=t[r]:l[r]=t[r];if(arguments.length>2&&(l.children=arguments.length>3?Yo.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)
l[r]===void 0&&(l[r]=e.defaultProps[r]);return Bo(e,l,s,o,null)}function Bo(e,t,n,s,o){var r={type:e,props:t,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,
constructor:void 0,__v:o??++sc,__i:-1,__u:0};return o==null&&tt.vnode!=null&&tt.vnode(r),r}function Xo(e){return e.children}function Jo(e,t){this.props=e,this.context=t}function Ua(e,t){if(t==null)return e.__?Ua(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)
if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?Ua(e):null}function rh(e){if(e.__P&&e.__d){var t=e.__v,n=t.__e,s=[],o=[],r=Qn({},
t);r.__v=t.__v+1,tt.vnode&&tt.vnode(r),fi(e.__P,r,t,e.__n,e.__P.namespaceURI,32&t.__u?[n]:null,s,n??Ua(t),!!(32&t.__u),o),r.__v=t.__v,r.__.__k[r.__i]=r,pc(s,r,o),
t.__e=t.__=null,r.__e!=n&&lc(r)}}function lc(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.
__e=e.__c.base=t.__e}),lc(e)}function tc(e){(!e.__d&&(e.__d=!0)&&ba.push(e)&&!Vo.__r++||ec!=tt.debounceRendering)&&((ec=tt.debounceRendering)||oc)(Vo)}function Vo(){
try{for(var e,t=1;ba.length;)ba.length>t&&ba.sort(rc),e=ba.shift(),t=ba.length,rh(e)}finally{ba.length=Vo.__r=0}}function dc(e,t,n,s,o,r,l,d,m,w,S){var E,v,T,U,
ne,ie,ye=s&&s.__k||Ko,le=t.length;for(m=ih(n,t,ye,m,le),E=0;E<le;E++)(T=n.__k[E])!=null&&(v=T.__i!=-1&&ye[T.__i]||Go,T.__i=E,ie=fi(e,T,v,o,r,l,d,m,w,S),U=T.__e,
T.ref&&v.ref!=T.ref&&(v.ref&&mi(v.ref,null,T),S.push(T.ref,T.__c||U,T)),ne==null&&U!=null&&(ne=U),4&T.__u?(m=cc(T,m,e),v.__e&&(v.__e=null)):typeof T.type=="func\
tion"&&ie!==void 0?m=ie:U&&(m=U.nextSibling),T.__u&=-7);return n.__e=ne,m}function ih(e,t,n,s,o){var r,l,d,m,w,S=n.length,E=S,v=0;for(e.__k=new Array(o),r=0;r<o;r++)
(l=t[r])!=null&&typeof l!="boolean"&&typeof l!="function"?(typeof l=="string"||typeof l=="number"||typeof l=="bigint"||l.constructor==String?l=e.__k[r]=Bo(null,
l,null,null,null):Zo(l)?l=e.__k[r]=Bo(Xo,{children:l},null,null,null):l.constructor===void 0&&l.__b>0?l=e.__k[r]=Bo(l.type,l.props,l.key,l.ref?l.ref:null,l.__v):
e.__k[r]=l,m=r+v,l.__=e,l.__b=e.__b+1,d=null,(w=l.__i=lh(l,n,m,E))!=-1&&(E--,(d=n[w])&&(d.__u|=2)),d==null||d.__v==null?(w==-1&&(o>S?v--:o<S&&v++),typeof l.type!=
"function"&&(l.__u|=4)):w!=m&&(w==m-1?v--:w==m+1?v++:(w>m?v--:v++,l.__u|=4))):e.__k[r]=null;if(E)for(r=0;r<S;r++)(d=n[r])!=null&&(2&d.__u)==0&&(d.__e==s&&(s=Ua(
d)),fc(d,d));return s}function cc(e,t,n){var s,o;if(typeof e.type=="function"){for(s=e.__k,o=0;s&&o<s.length;o++)s[o]&&(s[o].__=e,t=cc(s[o],t,n));return t}e.__e!=
t&&(t&&e.type&&!t.parentNode&&(t=Ua(e)),t=n.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function lh(e,t,n,s){var o,r,l,d=e.key,m=e.type,w=t[n],S=w!=null&&(2&w.__u)==0;if(w===null&&d==null||S&&d==w.key&&m==w.type)return n;if(s>(S?1:0)){for(o=n-1,r=n+
1;o>=0||r<t.length;)if((w=t[l=o>=0?o--:r++])!=null&&(2&w.__u)==0&&d==w.key&&m==w.type)return l}return-1}function nc(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=
n==null?"":typeof n!="number"||oh.test(t)?n:n+"px"}function Ho(e,t,n,s,o){var r,l;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof s=="str\
ing"&&(e.style.cssText=s=""),s)for(t in s)n&&t in n||nc(e.style,t,"");if(n)for(t in n)s&&n[t]==s[t]||nc(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")r=t!=(t=t.replace(
ic,"$1")),l=t.toLowerCase(),t=l in e||t=="onFocusOut"||t=="onFocusIn"?l.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+r]=n,n?s?n[oo]=s[oo]:(n[oo]=ui,e.addEventListener(
t,r?ci:di,r)):e.removeEventListener(t,r?ci:di,r);else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&
t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}
typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function ac(e){return function(t){if(this.l){
var n=this.l[t.type+e];if(t[Uo]==null)t[Uo]=ui++;else if(t[Uo]<n[oo])return;return n(tt.event?tt.event(t):t)}}}function fi(e,t,n,s,o,r,l,d,m,w){var S,E,v,T,U,ne,
ie,ye,le,Ve,an,pt,de,$e,Qt,vt,Bt=t.type;if(t.constructor!==void 0)return null;128&n.__u&&(m=!!(32&n.__u),r=[d=t.__e=n.__e]),(S=tt.__b)&&S(t);e:if(typeof Bt=="fu\
nction"){E=l.length;try{if(le=t.props,Ve=Bt.prototype&&Bt.prototype.render,an=(S=Bt.contextType)&&s[S.__c],pt=S?an?an.props.value:S.__:s,n.__c?ye=(v=t.__c=n.__c).
__=v.__E:(Ve?t.__c=v=new Bt(le,pt):(t.__c=v=new Jo(le,pt),v.constructor=Bt,v.render=ch),an&&an.sub(v),v.state||(v.state={}),v.__n=s,T=v.__d=!0,v.__h=[],v._sb=[]),
Ve&&v.__s==null&&(v.__s=v.state),Ve&&Bt.getDerivedStateFromProps!=null&&(v.__s==v.state&&(v.__s=Qn({},v.__s)),Qn(v.__s,Bt.getDerivedStateFromProps(le,v.__s))),U=
v.props,ne=v.state,v.__v=t,T)Ve&&Bt.getDerivedStateFromProps==null&&v.componentWillMount!=null&&v.componentWillMount(),Ve&&v.componentDidMount!=null&&v.__h.push(
v.componentDidMount);else{if(Ve&&Bt.getDerivedStateFromProps==null&&le!==U&&v.componentWillReceiveProps!=null&&v.componentWillReceiveProps(le,pt),t.__v==n.__v||
!v.__e&&v.shouldComponentUpdate!=null&&v.shouldComponentUpdate(le,v.__s,pt)===!1){t.__v!=n.__v&&(v.props=le,v.state=v.__s,v.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(ae){ae&&(ae.__=t)}),Ko.push.apply(v.__h,v._sb),v._sb=[],v.__h.length&&l.push(v),d=Ua(n);break e}v.componentWillUpdate!=null&&v.componentWillUpdate(
le,v.__s,pt),Ve&&v.componentDidUpdate!=null&&v.__h.push(function(){v.componentDidUpdate(U,ne,ie)})}if(v.context=pt,v.props=le,v.__P=e,v.__e=!1,de=tt.__r,$e=0,Ve)
v.state=v.__s,v.__d=!1,de&&de(t),S=v.render(v.props,v.state,v.context),Ko.push.apply(v.__h,v._sb),v._sb=[];else do v.__d=!1,de&&de(t),S=v.render(v.props,v.state,
v.context),v.state=v.__s;while(v.__d&&++$e<25);v.state=v.__s,v.getChildContext!=null&&(s=Qn(Qn({},s),v.getChildContext())),Ve&&!T&&v.getSnapshotBeforeUpdate!=null&&
(ie=v.getSnapshotBeforeUpdate(U,ne)),Qt=S!=null&&S.type===Xo&&S.key==null?hc(S.props.children):S,d=dc(e,Zo(Qt)?Qt:[Qt],t,n,s,o,r,l,d,m,w),v.base=t.__e,t.__u&=-161,
v.__h.length&&l.push(v),ye&&(v.__E=v.__=null)}catch(ae){if(l.length=E,t.__v=null,m||r!=null){if(ae.then){for(t.__u|=m?160:128;d&&d.nodeType==8&&d.nextSibling;)d=
d.nextSibling;r!=null&&(r[r.indexOf(d)]=null),t.__e=d}else if(r!=null)for(vt=r.length;vt--;)pi(r[vt])}else t.__e=n.__e;t.__k==null&&(t.__k=n.__k||[]),ae.then||uc(
t),tt.__e(ae,t,n)}}else r==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):d=t.__e=dh(n.__e,t,n,s,o,r,l,m,w);return(S=tt.diffed)&&S(t),128&t.__u?void 0:d}function uc(e){
e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(uc))}function pc(e,t,n){for(var s=0;s<n.length;s++)mi(n[s],n[++s],n[++s]);tt.__c&&tt.__c(t,e),e.some(function(o){try{
e=o.__h,o.__h=[],e.some(function(r){r.call(o)})}catch(r){tt.__e(r,o.__v)}})}function hc(e){return typeof e!="object"||e==null||e.__b>0?e:Zo(e)?e.map(hc):e.constructor!==
void 0?null:Qn({},e)}function dh(e,t,n,s,o,r,l,d,m){var w,S,E,v,T,U,ne,ie=n.props||Go,ye=t.props,le=t.type;if(le=="svg"?o="http://www.w3.org/2000/svg":le=="math"?
o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r!=null){for(w=0;w<r.length;w++)if((T=r[w])&&"setAttribute"in T==!!le&&(le?T.localName==
le:T.nodeType==3)){e=T,r[w]=null;break}}if(e==null){if(le==null)return document.createTextNode(ye);e=document.createElementNS(o,le,ye.is&&ye),d&&(tt.__m&&tt.__m(
t,r),d=!1),r=null}if(le==null)ie===ye||d&&e.data==ye||(e.data=ye);else{if(r=le=="textarea"&&ye.defaultValue!=null?null:r&&Yo.call(e.childNodes),!d&&r!=null)for(ie=
{},w=0;w<e.attributes.length;w++)ie[(T=e.attributes[w]).name]=T.value;for(w in ie)T=ie[w],w=="dangerouslySetInnerHTML"?E=T:w=="children"||w in ye||w=="value"&&"\
defaultValue"in ye||w=="checked"&&"defaultChecked"in ye||Ho(e,w,null,T,o);for(w in ye)T=ye[w],w=="children"?v=T:w=="dangerouslySetInnerHTML"?S=T:w=="value"?U=T:
w=="checked"?ne=T:d&&typeof T!="function"||ie[w]===T||Ho(e,w,T,ie[w],o);if(S)d||E&&(S.__html==E.__html||S.__html==e.innerHTML)||(e.innerHTML=S.__html),t.__k=[];else if(E&&
(e.innerHTML=""),dc(t.type=="template"?e.content:e,Zo(v)?v:[v],t,n,s,le=="foreignObject"?"http://www.w3.org/1999/xhtml":o,r,l,r?r[0]:n.__k&&Ua(n,0),d,m),r!=null)
for(w=r.length;w--;)pi(r[w]);d&&le!="textarea"||(w="value",le=="progress"&&U==null?e.removeAttribute("value"):U!=null&&(U!==e[w]||le=="progress"&&!U||le=="optio\
n"&&U!=ie[w])&&Ho(e,w,U,ie[w],o),w="checked",ne!=null&&ne!=e[w]&&Ho(e,w,ne,ie[w],o))}return e}function mi(e,t,n){try{if(typeof e=="function"){var s=typeof e.__u==
"function";s&&e.__u(),s&&t==null||(e.__u=e(t))}else e.current=t}catch(o){tt.__e(o,n)}}function fc(e,t,n){var s,o;if(tt.unmount&&tt.unmount(e),(s=e.ref)&&(s.current&&
s.current!=e.__e||mi(s,null,t)),(s=e.__c)!=null){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(r){tt.__e(r,t)}s.base=s.__P=s.__n=null}if(s=e.__k)
for(o=0;o<s.length;o++)s[o]&&fc(s[o],t,n||typeof e.type!="function");n||pi(e.__e),e.__c=e.__=e.__e=void 0}function ch(e,t,n){return this.constructor(e,n)}function $i(e,t,n){
var s,o,r,l;t==document&&(t=document.documentElement),tt.__&&tt.__(e,t),o=(s=typeof n=="function")?null:n&&n.__k||t.__k,r=[],l=[],fi(t,e=(!s&&n||t).__k=hi(Xo,null,
[e]),o||Go,Go,t.namespaceURI,!s&&n?[n]:o?null:t.firstChild?Yo.call(t.childNodes):null,r,!s&&n?n:o?o.__e:t.firstChild,s,l),pc(r,e,l),e.props.children=null}Yo=Ko.slice,tt={__e:function(e,t,n,s){for(var o,r,l;t=t.__;)if((o=t.__c)&&!o.__)try{if((r=o.constructor)&&r.getDerivedStateFromError!=null&&(o.setState(r.getDerivedStateFromError(
e)),l=o.__d),o.componentDidCatch!=null&&(o.componentDidCatch(e,s||{}),l=o.__d),l)return o.__E=o}catch(d){e=d}throw e}},sc=0,ah=function(e){return e!=null&&e.constructor===
void 0},Jo.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=Qn({},this.state),typeof e=="function"&&(e=e(Qn({},n),
this.props)),e&&Qn(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),tc(this))},Jo.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),tc(this))},
Jo.prototype.render=Xo,ba=[],oc=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,rc=function(e,t){return e.__v.__b-t.__v.__b},
Vo.__r=0,li=Math.random().toString(8),Uo="__d"+li,oo="__a"+li,ic=/(PointerCapture)$|Capture$/i,ui=0,di=ac(!1),ci=ac(!0),sh=0;var $c=function(e,t,n,s){var o;t[0]=0;for(var r=1;r<t.length;r++){var l=t[r++],d=t[r]?(t[0]|=l?1:2,n[t[r++]]):t[++r];l===3?s[0]=d:l===4?s[1]=Object.assign(s[1]||
{},d):l===5?(s[1]=s[1]||{})[t[++r]]=d:l===6?s[1][t[++r]]+=d+"":l?(o=e.apply(d,$c(e,d,n,["",null])),s.push(o),d[0]?t[0]|=2:(t[r-2]=0,t[r]=o)):s.push(d)}return s},
mc=new Map;function gc(e){var t=mc.get(this);return t||(t=new Map,mc.set(this,t)),(t=$c(this,t.get(e)||(t.set(e,t=(function(n){for(var s,o,r=1,l="",d="",m=[0],w=function(v){
r===1&&(v||(l=l.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?m.push(0,v,l):r===3&&(v||l)?(m.push(3,v,l),r=2):r===2&&l==="..."&&v?m.push(4,v,0):r===2&&l&&!v?m.push(5,0,!0,
l):r>=5&&((l||!v&&r===5)&&(m.push(r,0,l,o),r=6),v&&(m.push(r,v,0,o),r=6)),l=""},S=0;S<n.length;S++){S&&(r===1&&w(),w(S));for(var E=0;E<n[S].length;E++)s=n[S][E],
r===1?s==="<"?(w(),m=[m],r=3):l+=s:r===4?l==="--"&&s===">"?(r=1,l=""):l=s+l[0]:d?s===d?d="":l+=s:s==='"'||s==="'"?d=s:s===">"?(w(),r=1):r&&(s==="="?(r=5,o=l,l=""):
s==="/"&&(r<5||n[S][E+1]===">")?(w(),r===3&&(m=m[0]),r=m,(m=m[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(w(),r=2):l+=s),r===3&&l==="!--"&&(r=4,m=m[0])}return w(),m})(e)),t),arguments,[])).length>1?t:t[0]}var ro,bt,gi,bc,er=0,jc=[],Ct=tt,vc=Ct.__b,wc=Ct.__r,yc=Ct.diffed,xc=Ct.__c,kc=Ct.unmount,_c=Ct.__;function vi(e,t){Ct.__h&&Ct.__h(bt,e,er||t),er=0;var n=bt.__H||
(bt.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function O(e){return er=1,uh(Tc,e)}function uh(e,t,n){var s=vi(ro++,2);if(s.t=e,!s.__c&&(s.
__=[n?n(t):Tc(void 0,t),function(d){var m=s.__N?s.__N[0]:s.__[0],w=s.t(m,d);m!==w&&(s.__N=[w,s.__[1]],s.__c.setState({}))}],s.__c=bt,!bt.__f)){var o=function(d,m,w){
if(!s.__c.__H)return!0;var S=!1,E=s.__c.props!==d;if(s.__c.__H.__.some(function(T){if(T.__N){S=!0;var U=T.__[0];T.__=T.__N,T.__N=void 0,U!==T.__[0]&&(E=!0)}}),r){
var v=r.call(this,d,m,w);return S?v||E:v}return!S||E};bt.__f=!0;var r=bt.shouldComponentUpdate,l=bt.componentWillUpdate;bt.componentWillUpdate=function(d,m,w){if(this.
__e){var S=r;r=void 0,o(d,m,w),r=S}l&&l.call(this,d,m,w)},bt.shouldComponentUpdate=o}return s.__N||s.__}function Se(e,t){var n=vi(ro++,3);!Ct.__s&&Sc(n.__H,t)&&
(n.__=e,n.u=t,bt.__H.__h.push(n))}function Ht(e){return er=5,Zt(function(){return{current:e}},[])}function Zt(e,t){var n=vi(ro++,7);return Sc(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function ph(){for(var e;e=jc.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Qo),t.__h.some(bi),t.__h=[]}catch(n){t.__h=[],Ct.__e(n,e.__v)}}}Ct.__b=function(e){
bt=null,vc&&vc(e)},Ct.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),_c&&_c(e,t)},Ct.__r=function(e){wc&&wc(e),ro=0;var t=(bt=e.__c).__H;t&&(gi===bt?(t.
__h=[],bt.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.some(Qo),t.__h.some(bi),t.__h=[],ro=0)),gi=bt},Ct.diffed=function(e){yc&&yc(
e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(jc.push(t)!==1&&bc===Ct.requestAnimationFrame||((bc=Ct.requestAnimationFrame)||hh)(ph)),t.__H.__.some(function(n){n.
u&&(n.__H=n.u,n.u=void 0)})),gi=bt=null},Ct.__c=function(e,t){t.some(function(n){try{n.__h.some(Qo),n.__h=n.__h.filter(function(s){return!s.__||bi(s)})}catch(s){
t.some(function(o){o.__h&&(o.__h=[])}),t=[],Ct.__e(s,n.__v)}}),xc&&xc(e,t)},Ct.unmount=function(e){kc&&kc(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(s){
try{Qo(s)}catch(o){t=o}}),n.__H=void 0,t&&Ct.__e(t,n.__v))};var Cc=typeof requestAnimationFrame=="function";function hh(e){var t,n=function(){clearTimeout(s),Cc&&
cancelAnimationFrame(t),setTimeout(e)},s=setTimeout(n,35);Cc&&(t=requestAnimationFrame(n))}function Qo(e){var t=bt,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),
bt=t}function bi(e){var t=bt;e.__c=e.__(),bt=t}function Sc(e,t){return!e||e.length!==t.length||t.some(function(n,s){return n!==e[s]})}function Tc(e,t){return typeof t==
"function"?t(e):t}var a=gc.bind(hi);var va=!1;try{va=localStorage.getItem("zone")==="utc"}catch{}var Tn=()=>va;function ws(e){va=e;try{localStorage.setItem("zone",e?"utc":"local")}catch{}window.dispatchEvent(
new Event("zone"))}var Dc=0,ct=()=>Date.now()+Dc;function Rc(e){Dc=Math.abs(e-Date.now())<5e3?0:e-Date.now()}var wi=new Map,ys=e=>{let t=va?"UTC":void 0;return wi.
has(va)||wi.set(va,new Intl.DateTimeFormat("en-GB",{timeZone:t,year:"numeric",month:"2-digit",day:"2-digit",hour:"2-digit",minute:"2-digit",second:"2-digit",hourCycle:"\
h23",timeZoneName:"short"})),Object.fromEntries(wi.get(va).formatToParts(new Date(e)).map(n=>[n.type,n.value]))},xs=(e=ct())=>ys(e).timeZoneName,Pn=e=>{let t=ys(
e);return`${t.year}-${t.month}-${t.day}`},ln=e=>{let t=ys(e);return`${t.hour}:${t.minute}:${t.second} ${t.timeZoneName}`},zt=e=>`${Pn(e)} ${ln(e)}`,fh=["Jan","F\
eb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"],yi=e=>{let t=ys(e);return`${Number(t.day)} ${fh[t.month-1]}`},Ac=e=>{let t=ys(e);return`${Pn(e)===
Pn(ct())?"":yi(e)+" "}${t.hour}:${t.minute} ${t.timeZoneName}`},xi=e=>`${yi(e)} ${ln(e)}`;function ki(e,t=0){let[n,s,o]=e.split("-").map(Number);return(va?new Date(
Date.UTC(n,s-1,o+t)):new Date(n,s-1,o+t)).toISOString()}function Mc(e,t){let n="";return e.map(s=>{let o=ys(s*1e3),r=yi(s*1e3),l=t>=86400?"":t>=60?`${o.hour}:${o.
minute}`:t>=1?`${o.hour}:${o.minute}:${o.second}`:`${o.second}.${String(Math.round(s*1e3)%1e3).padStart(3,"0")}`;if(!l)return r;let d=r===n?l:`${l}
${r}`;return n=r,d})}var Ne={user:"",role:"",csrf:"",ways:[],absent:""},Ec={viewer:1,operator:2,admin:3},Be=e=>(Ec[Ne.role]??0)>=Ec[e],Si=()=>{},Oc=e=>{Si=e};async function Pc(e,t,n){
let s={Accept:"application/json"};e!=="GET"&&(s["Content-Type"]="application/json",s["X-CSRF-Token"]=Ne.csrf);let o;try{o=await fetch(t,{method:e,headers:s,body:n===
void 0?void 0:JSON.stringify(n)})}catch{throw Object.assign(new Error("usher does not respond. The page retries automatically."),{lost:!0})}let r=await o.json().
catch(()=>({}));if(o.status===401&&!t.startsWith("/api/login")&&Si(),!o.ok)throw Object.assign(new Error(r.error||`the server answered with status ${o.status}`),
{lost:o.status===503,gone:o.status===404});return r}var ta=e=>Pc("GET",e),Pe=(e,t={})=>Pc("POST",e,t);async function ks(){let e=await ta("/api/session");return(e.
absent!=="unread"||!Ne.user)&&Object.assign(Ne,{user:"",role:"",csrf:"",absent:""},e),Ne}function Ae(e){let t=new URLSearchParams;for(let[s,o]of Object.entries(
e))o!=null&&o!==""&&o!==!1&&t.set(s,o);let n=t.toString();return n&&"?"+n}var Hn=null,Ic=!1;function _i(e){for(let t of wa.values())(e.includes("*")||e.some(n=>t.
topics.has(n)))&&t.changed(e.includes("letters")&&t.topics.has("letters"))}var ea={state:null,at:Date.now()},mh=3500,tr=()=>({state:ea.state,heard:ea.at,cut:Date.
now()-ea.at>mh});function Ci(){Hn||document.hidden||!Ne.user||(ea.at=Date.now(),Hn=new EventSource("/api/live"),Ic&&(Hn.onopen=()=>_i(["*"])),Ic=!0,Hn.onmessage=
e=>_i(e.data.split(",")),Hn.addEventListener("health",e=>{let t=s=>(s?.services??[]).filter(o=>o.since).map(o=>o.name).join(),n=ea.state;Object.assign(ea,{state:JSON.
parse(e.data),at:Date.now()}),ea.state.at.startsWith("0001")||Rc(Date.parse(ea.state.at)),n&&t(n)!==t(ea.state)&&_i(["*"])}),Hn.onerror=()=>{Hn?.readyState===EventSource.
CLOSED&&(Hn=null,setTimeout(async()=>{await ks().then(e=>e.user||e.absent==="unread",()=>!0)?Ci():Si()},2e3))})}function io(){Hn?.close(),Hn=null}function Ti(){
document.addEventListener("visibilitychange",()=>document.hidden?io():Ci()),window.addEventListener("pagehide",io),Ci()}var wa=new Map,$h=1500,gh=500,ji=class{state={
data:null,error:"",lost:!1};topics=new Set;drawn=new Set;busy=!1;again=!1;sent=0;timer=0;constructor(t){this.path=t,this.load()}async load(){if(this.busy){this.
again=!0;return}this.busy=!0,this.again=!1,clearTimeout(this.timer),this.sent=Date.now();try{this.state={data:await ta(this.path),error:"",lost:!1}}catch(t){this.
state={data:t.gone?null:this.state.data,error:t.message,lost:t.lost}}this.busy=!1;for(let t of this.drawn)t();this.again&&this.changed()}changed(t=!1){if(this.busy){
this.again=!0;return}clearTimeout(this.timer),this.timer=setTimeout(()=>wa.get(this.path)===this&&this.load(),Math.max(0,this.sent+(t?gh:$h)-Date.now()))}};function we(e,t=[]){
let[,n]=O(0),s=Ht(null),o=e?wa.get(e)??new ji(e):null;o&&(wa.set(e,o),t.forEach(m=>o.topics.add(m))),Se(()=>{if(!o)return;let m=()=>n(w=>w+1);return o.drawn.add(
m),wa.has(e)||(wa.set(e,o),o.changed()),(o.state.data||o.state.error)&&m(),()=>{o.drawn.delete(m),o.drawn.size===0&&wa.get(e)===o&&wa.delete(e)}},[o]);let{data:r,
error:l,lost:d}=o?.state??{data:null,error:"",lost:!1};return r&&(s.current=r),{data:r,stale:s.current,error:l,lost:d,reload:()=>o?.load()}}var Di=new Intl.NumberFormat("en",{maximumFractionDigits:0}),bh=new Intl.NumberFormat("en",{notation:"compact",maximumFractionDigits:1}),vh=new Intl.NumberFormat(
"en",{maximumFractionDigits:2}),wh=new Intl.NumberFormat("en",{maximumSignificantDigits:4}),C=e=>Di.format(e??0),lo=e=>vh.format(e??0),Un=e=>e<1e4?Di.format(e):
bh.format(e),dn=e=>Number.isInteger(e)?Di.format(e):wh.format(e),L=(e,t,n=t+"s")=>`${C(e)} ${e===1?t:n}`;function _s(e){let t=["B","kB","MB","GB","TB"],n=0;for(;e>=
1e3&&n<t.length-1;n++)e/=1e3;return`${e<10&&n>0?e.toFixed(1):Math.round(e)} ${t[n]}`}function cn(e){return e=Math.max(0,e),e<1?`${Math.round(e*1e3)} ms`:e<10?`${e.
toFixed(1)} s`:e<60?`${Math.floor(e)} s`:e<3600?`${Math.floor(e/60)} min ${Math.floor(e%60)} s`:e<86400?`${Math.floor(e/3600)} h ${Math.floor(e%3600/60)} min`:`${Math.
floor(e/86400)} d ${Math.floor(e%86400/3600)} h`}function co(e,t=ct()){let n=(t-new Date(e).getTime())/1e3,s=Math.abs(n),o;if(s<5)return"just now";if(s<60)o=`${Math.
floor(s)} s`;else if(s<3600)o=`${Math.floor(s/60)} min`;else if(s<86400)o=`${Math.floor(s/3600)} h`;else if(s<86400*60)o=L(Math.floor(s/86400),"day");else return Pn(
e);return n<0?`in ${o}`:`${o} ago`}var Bn=e=>a`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${e}</svg>`,
bn={overview:Bn(a`<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />`),audiences:Bn(a`<circle cx="9" cy="8" r="3.5" /><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.700 3 5.500" />`),
jobs:Bn(a`<path d="M4 6h16M4 12h16M4 18h10" />`),letters:Bn(a`<path d="M4 6h16v12H4zM4 7l8 6 8-6" />`),campaigns:Bn(a`<path d="M5 10v4l9 4V6zM14 9a3 3 0 0 1 0 6M7 15v4h3v-3" />`),
rules:Bn(a`<path d="M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M4 12h4M10 8h4M16 16h4" />`),workers:Bn(a`<path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.500h.01M8 16.500h.01" />`),
audit:Bn(a`<path d="M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6" />`),theme:Bn(a`<path d="M12 4a8 8 0 1 0 0 16z" fill="currentColor" /><circle cx="12" cy="12" r="8" />`),
leave:Bn(a`<path d="M10 5H5v14h5M14 8l4 4-4 4M18 12H9" />`),brand:a`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5" /><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 8v8a7 7 0 0 0 14 0V8" /><path d="M9 26h14" /></g></svg>`};var uo=[["h","","Overview"],["a","audiences","Audiences"],["j","jobs","Jobs"],["l","letters","Dead letters"],["c","campaigns","Campaigns"],["r","rules","Rules"],
["u","audit","Audit"]];function na(){let[e,t]=(location.hash.slice(1)||"/").split("?");return{path:e.split("/").map(decodeURIComponent).join("/"),names:e.split(
"/").filter(Boolean).map(decodeURIComponent),params:Object.fromEntries(new URLSearchParams(t))}}function Lc(){let[e,t]=O(na());return Se(()=>{let n=()=>t(na());
return window.addEventListener("hashchange",n),()=>window.removeEventListener("hashchange",n)},[]),e}function oe(...e){return"#/"+e.map(encodeURIComponent).join(
"/")}function et(e){let{path:t,params:n}={path:(location.hash.slice(1)||"/").split("?")[0],params:na().params},s=new URLSearchParams;for(let[d,m]of Object.entries(
{...n,...e}))m&&s.set(d,m);let o=s.toString(),r="#"+t+(o&&"?"+o),l=["text","match"].find(d=>d in e)??"";r!==location.hash&&(l&&history.state?.typed===l?history.
replaceState(history.state,"",r):history.pushState({typed:l},"",r),window.dispatchEvent(new Event("hashchange")))}history.scrollRestoration="manual";var Ri=0,ya=null;
window.addEventListener("scroll",()=>{clearTimeout(Ri),ya||(Ri=setTimeout(()=>history.replaceState({...history.state,y:window.scrollY},""),150))},{passive:!0});
var Fc=()=>ya!==null,zc=["wheel","touchstart","pointerdown","keydown"];function Nc(e){ya?.();let t=()=>{window.scrollTo(0,e),window.scrollY>=e-1&&ya?.()},n=new ResizeObserver(
t),s=setTimeout(()=>ya?.(),5e3),o=()=>{ya=null,n.disconnect(),clearTimeout(s),zc.forEach(r=>window.removeEventListener(r,o))};ya=o,zc.forEach(r=>window.addEventListener(
r,o,{passive:!0})),n.observe(document.body)}window.addEventListener("popstate",e=>{clearTimeout(Ri),ya?.(),e.state?.y>0&&Nc(e.state.y)});history.state?.y>0&&Nc(
history.state.y);var zn={invalid_job:{title:"Jobs are not valid",todo:"Correct the field that is wrong with Fix and replay.",then:"Correct it with Fix and replay."},source_missing:{
title:"The export is missing",todo:"Put the export in its place and replay, or set the right file with Fix and replay.",then:"Then replay; if its name is wrong,\
 set the right file with Fix and replay."},source_refused:{title:"The export may not be read",todo:"Move the export to a place that is allowed, and set its new \
place with Fix and replay.",then:"Then replay, or set the new place with Fix and replay."},source_broken:{title:"The export cannot be read",todo:"Have the expor\
t written again and replay, or say with Fix and replay how it is written.",then:"Then replay, or say with Fix and replay how it is written."},unauthorized:{title:"\
The platform refuses the login",todo:"Have the user name or password in usher's configuration corrected, then replay.",then:"Then replay."},forbidden:{title:"Th\
e platform forbids it",todo:"Have usher's login linked to the advertiser on the platform, then replay.",then:"Then replay."},not_found:{title:"The platform does\
 not know the target",todo:"Create the target on the platform and replay, or set the right one with Fix and replay.",then:"Then replay, or set the right one wit\
h Fix and replay."},refused:{title:"The platform refuses the job",todo:"Read what the platform answered, and correct the job with Fix and replay.",then:"Then re\
play, or correct the job with Fix and replay."},shrink:{title:"The audience would shrink too much",todo:"If the smaller export is right, allow it with Fix and r\
eplay. Otherwise have it written again, and replay.",then:"If the smaller export is right, allow it with Fix and replay.",field:"force",value:"true"},changed:{title:"\
The export is not as it was",todo:"If the export is right, accept its differences with Fix and replay. Otherwise have it written as before, and replay.",then:"I\
f the export is right, accept its differences with Fix and replay.",field:"acceptChange",value:"true"},ledger_broken:{title:"usher's list of the ids is damaged",
todo:"Ask whoever runs usher to mend or drop the ledger in the terminal, then replay.",then:"Then replay."},too_many_rejects:{title:"Too many rows are no device\
 ids",todo:"Look at the dropped rows on the job's page. Then correct how the export is read, or allow more, with Fix and replay.",then:"Then correct the job, or\
 allow more, with Fix and replay.",field:"maxRejectPercent"},exhausted:{title:"All attempts have failed",todo:"Remove the cause, then replay.",then:"Then replay\
."},poison:{title:"A worker crashed on it again and again",todo:"Report it with the worker's log. Replay once it is repaired.",then:"Replay once it is repaired."},
deadline:{title:"The deadline has passed",todo:"Set a later deadline with Fix and replay.",then:"Set a later deadline with Fix and replay.",field:"deadline"}},nn=e=>zn[e]?.
title??e,po={"segment.add":["Add to a segment",e=>`Add to ${e}`],"segment.remove":["Remove from a segment",e=>`Remove from ${e}`],"segment.mirror":["Make a segm\
ent equal to an export",e=>`Make ${e} equal to an export`],"target.add":["Add to a campaign's devices",e=>`Add to ${e}`],"target.replace":["Replace a campaign's\
 devices",e=>`Replace ${e}`],"target.clear":["Clear a campaign's devices",e=>`Clear ${e}`],"target.mirror":["Make a campaign's devices equal to an export",e=>`M\
ake ${e} equal to an export`],"campaign.pause":["Pause creatives",e=>`Pause creatives of ${e}`],"campaign.resume":["Resume creatives",e=>`Resume creatives of ${e}`],
"campaign.budget":["Set a campaign's daily budget",e=>`Set the daily budget of ${e}`],"campaign.bid":["Set a campaign's maximum bid",e=>`Set the maximum bid of ${e}`],
"rules.evaluate":["Run rules",e=>`Run ${e}`],"device.forget":["Forget devices",()=>"Forget devices"]},yh=e=>po[e]?.[0]??e,vn=(e,t)=>(/\(removed\)/.test(e)?"":t?
`${t} (${e.replace(/^segment /,"")})`:e??"").replace(/^target /,"devices of ").replace(/^campaign /,""),ar=(e,t,n)=>po[e]&&/\S \S/.test(t??"")&&vn(t)?po[e][1](vn(
t,n)):yh(e),We={queued:"Jobs that no worker has begun. A replayed job waits here again.",running:"Jobs that a worker carries out now.",retrying:"Jobs whose last\
 attempt failed, and whose next attempt has a time.",done:"Jobs that have ended, with every row counted.",failed:"Jobs whose last run has failed, whether or not\
 their dead letters were discarded since.",cancelled:"Jobs that were ended by a person. What the platform had taken before stays there.",letters:"Failed jobs th\
at wait for a person: neither replayed nor discarded.",rows:"Rows that all workers have read, per second, over the last ten seconds.",taken:"Jobs of this lane t\
hat run, or wait for their next attempt.",waiting:"Jobs of this lane that no worker has taken, or that were given back.",read:"Rows that were read from the expo\
rt, whatever became of them.",new:"Accepted ids that were no members of the audience before the job, by its ledger.",accepted:"Rows whose ids the platform has a\
ccepted; in a dry run, those that would be sent.",ids:"Ids that the audience holds: as usher's ledger counts them, otherwise as the platform said after the last\
 job.",change:"Ids that the last job which changed the audience has added and removed.",quality:"Rows of the last export that name no device, in percent of the \
rows read.",open:"Jobs of this audience that have not ended: queued, running, or waiting for their next attempt.",saved:"Spend of the days on which a creative w\
ould have been paused.",pauses:"Creatives that the rules would have paused.",held:"Changes that a limit or a guard would have held back.",missed:"Clicks and imp\
ressions of the days on which a creative would have been paused."},Ai={ACTIVE:"active",INACTIVE:"paused",PENDING:"waits for the platform's approval"},xh={released:"\
rules may change it"},Ut=e=>Ai[e]??xh[e]??e,kh={zero_id:"zero id",shared_id:"id that many devices share",other_id:"IMEI or MAC address",placeholder:"placeholder\
, such as null",macro:"macro that was not filled in",header:"repeated header",empty:"empty cell",spreadsheet:"changed by a spreadsheet",shape:"no id of a known \
shape",looks_hashed:"looks hashed",sha1:"SHA-1 hash",sha256:"SHA-256 hash",wrong_type:"id of another type",malformed:"cannot be parsed"},aa=e=>kh[e]??e.replaceAll(
"_"," "),wn={budget:"daily budget",bid:"maximum bid"},ho={segment:"Segment",campaign:"Campaign",profile:"Kind of ids",advertiser:"Advertiser","source.url":"File",
"source.column":"Column of ids","source.typeColumn":"Column of types","source.delimiter":"Delimiter","source.encoding":"Encoding","source.format":"Format","sour\
ce.sheet":"Sheet","source.skip":"Lines to skip","source.quote":"Quotes","source.escape":"Escapes","source.ids":"Ids","source.doneMarker":"Marker of a complete e\
xport","source.compression":"Compression","source.cut":"Read in parts","source.version":"Version of the file","source.incompleteLastRow":"If the last row is cut\
 off","source.anyVersion":"UUIDs of any version",reason:"Reason",actor:"By",deadline:"Deadline",asOf:"As of",rules:"Rule file",rule:"Rule",creatives:"Creatives",
force:"Despite its limits",dryRun:"Sends nothing",acceptChange:"Differences accepted",maxShift:"Shift of reasons allowed, in percent",maxRemovePercent:"Removals\
 allowed, in percent",maxRejectPercent:"Rejected rows allowed, in percent",maxShrinkPercent:"Shrinking allowed, in percent",maxMalformedPercent:"Unreadable rows\
 allowed, in percent"},Ba=e=>ho[e]??e,Mi=e=>e.replace(/\b[a-z]+(\.[a-zA-Z]+)+ on \/v3\/\S*: /,"").replace(/\b(?:junk|invalid)\.([a-z0-9_]+)/g,(t,n)=>aa(n)).replace(
/(^|[\s(])\/([a-zA-Z]+(?:\/[a-zA-Z]+)*)/g,(t,n,s)=>ho[s.replaceAll("/",".")]?`${n}“${ho[s.replaceAll("/",".")]}”`:t),_h={act:"acts",approve:"asks first",notify:"\
notifies",observe:"only records"},Cs=e=>_h[e]??e,nr=/\busher (api|auth|backup|bench|config|console|dead|demo|dev|doctor|feeds|hash|inspect|intake|jobs|lanes|ledger|limits|migrate|restore|rules|run|sandbox|submit|suppress)\b|(^|\s)--[a-z]|\bsubmit (it |the job )?again\b/,
Ch=/([;.:] )/;function sr(e){if(!nr.test(e))return e;let t=e.replace(/ ?\(([^()]*)\)/g,(o,r)=>nr.test(r)?"":o).replace(/, see [^,;]*/g,o=>nr.test(o)?"":o).split(
Ch),n="",s=!1;for(let o=0;o<t.length;o+=2)s=nr.test(t[o])||s&&t[o-1]===": ",s||(n+=(n&&t[o-1])+t[o]);return n.replace(/^(or|and|then) /,"").replace(/[;:.\s]+$/,
"")}var jh=new RegExp(Object.keys(ho).filter(e=>/[.A-Z]/.test(e)).sort((e,t)=>t.length-e.length).map(e=>`(?:--set |--)?\\b${e.replace(".","\\.")}\\b`).join("|"),
"g");function Wc(e){let t=[],n=0;for(let s of e.matchAll(jh)){let o=s[0].replace(/^--(set )?/,"");t.push(e.slice(n,s.index),{name:o,title:ho[o]}),n=s.index+s[0].
length}return[...t,e.slice(n)]}var qc=["cap","approval"],fo=e=>e.action==="held"&&qc.includes(e.guard),js=e=>e.approvals?.length&&e.state!=="approved"?e.approvals.
at(-1).waiting.length+(e.leftOut?.length??0):e.guards?qc.reduce((t,n)=>t+(e.guards[n]??0),0):e.counts?.held??0;var Hc=!0;function Je({title:e,sub:t,crumb:n,acts:s,children:o}){let r=Ht(null);return Se(()=>{document.title=`${e} · usher`},[e]),Se(()=>{Hc||(r.current?.focus(
{preventScroll:!0}),Fc()||window.scrollTo(0,0)),Hc=!1},[]),a`<div class="page">
    <div class="head">
      <div class="title">
        ${n&&a`<div class="crumb">${n}</div>`}
        <h1 tabindex="-1" ref=${r}>${e}</h1>
        ${t&&a`<div class="sub">${t}</div>`}
      </div>
      ${s&&a`<div class="acts">${s}</div>`}
    </div>
    ${o}
  </div>`}function X({title:e,side:t,children:n,flush:s}){return a`<section class="card">
    ${e&&a`<div class="top"><h2>${e}</h2>${t}</div>`}
    <div class=${s?"flush":"body"}>${n}</div>
  </section>`}var Sh={done:"good",running:"info",retrying:"warn",queued:"",failed:"bad",cancelled:"",ACTIVE:"good",INACTIVE:"",PENDING:"warn"},Ii=e=>Sh[e]??"",Ja=({
is:e})=>a`<span class="badge ${Ii(e)}" title=${Ai[e]?`the platform says ${e}`:We[e]}>${Ut(e)}</span>`,Ln=({kind:e,target:t,name:n})=>a`<span title=${e}>${ar(e,t,
n)}</span>`,Ei=new Set;setInterval(()=>Ei.forEach(e=>e(ct())),5e3);function Ss(){let[e,t]=O(ct());return Se(()=>(Ei.add(t),()=>Ei.delete(t)),[]),Math.max(e,ct()-
5e3)}function Q({at:e}){return Ss(),e?a`<time class="nowrap" datetime=${e} title=${zt(e)}>${co(e)}</time>`:a`<span class="faint none">–</span>`}function Ts({at:e}){
let t=Ss();return a`<time datetime=${e} title=${zt(e)}>since <span class="nowrap">${Ac(e)}</span>, <span class="nowrap">${co(e,t).replace(" ago","")}</span></time>`}
var At=({text:e})=>a`<span title=${Mi(e)===e?void 0:e}><${jt} text=${Mi(e)} /></span>`,Ds=({l:e})=>e&&a`<div class="looking" role="status">
  ${e.error?a`<span class="bad-ink">Older jobs cannot be read: ${e.error}</span>`:a`<progress max=${e.of} value=${e.looked} aria-label="Jobs looked through"></progress><span>Looked through ${C(
e.looked)} of ${C(e.of)} jobs so far</span>`}</div>`,Rs=(e,t)=>t?e?C(e)+"+":"…":C(e),Te=({title:e,children:t})=>a`<div class="empty"><b>${e}</b>${t}</div>`,yn=()=>a`<div class="loading" role="status" aria-label="Loading"><i></i><i></i><i></i></div>`,
Th=({text:e})=>Wc(e).map(t=>t.title?a`<span class="field-name" title=${t.name}>“${t.title}”</span>`:t),Dh=({text:e})=>e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:
a`<${Th} text=${t} />`),jt=({text:e})=>typeof e=="string"?a`<${Dh} text=${sr(e)||e} />`:e;function sa({text:e,of:t,to:n}){let s=zn[t],o=typeof e=="string"?sr(e):
e,r=s&&!(s.then==="Then replay."&&/\breplay\b/i.test(o))&&(o?s.then:s.todo),l=typeof e=="string"&&o!==e;return!o&&!r&&!l?null:a`<div class="hint">${o&&a`<${jt} text=${o} />`}${o&&
r&&(/[.!?]$/.test(o)?" ":". ")}${r&&a`<${Rh} text=${r} to=${n} />`}
    ${l&&a`<details class="small"><summary>In the terminal</summary>${e.split("`").map((d,m)=>m%2?a`<code>${d}</code>`:d)}</details>`}</div>`}var xa=({children:e})=>a`<details class="small"><summary>In the terminal</summary><code>${e}</code></details>`;
function Rh({text:e,to:t}){let[n,...s]=e.split("Fix and replay");return!t||s.length===0?e:a`${n}<a href=${t}>Fix and replay</a>${s.join("Fix and replay")}`}function un({
says:e,retry:t}){return a`<div class="callout bad" role="alert"><div><div class="says">Loading failed</div><${sa} text=${e} /></div>
    ${t&&a`<button class="small" onClick=${t}>Try again</button>`}</div>`}function fe({level:e="",says:t,hint:n,of:s,to:o,where:r,children:l}){let d=a`<div><div class="says"><${jt} text=${t} /></div>${r?
n&&a`<div class="hint"><${jt} text=${n} /></div>`:a`<${sa} text=${n} of=${s} to=${o} />`}${l}</div>`;return r?a`<a class="callout ${e}" href=${r}>${d}</a>`:a`<div class="callout ${e}">${d}</div>`}
function ut({result:e,children:t}){return e.data?a`${e.error&&!e.lost&&a`<${un} says=${e.error} retry=${e.reload} />`}${t(e.data)}`:e.error?a`<${un} says=${e.error} retry=${e.
reload} />`:a`<div class="card"><${yn} /></div>`}var St=({name:e,value:t,unit:n,note:s,href:o,bad:r,meaning:l})=>{let d=a`<div class="name">${e}</div><div class="value ${r?
"bad-ink":""}">${t}${n&&a` <small>${n}</small>`}</div>${s&&a`<div class="note">${s}</div>`}`;return o?a`<a class="figure" href=${o} title=${l}>${d}</a>`:a`<div class="figure" title=${l}>${d}</div>`};
function Dn({value:e,onText:t,label:n}){let[s,o]=O(e??""),r=Ht(0);return Se(()=>o(e??""),[e]),a`<input type="search" value=${s} placeholder=${n} aria-label=${n} onInput=${l=>{
o(l.target.value),clearTimeout(r.current);let d=l.target.value;r.current=setTimeout(()=>t(d),250)}} />`}var Jn=({value:e,onPick:t,label:n,options:s})=>a`<select aria-label=${n} value=${e??
""} onChange=${o=>t(o.target.value)}>
  ${s.map(([o,r])=>a`<option value=${o} selected=${o===(e??"")}>${r}</option>`)}</select>`,ka=({value:e,onPick:t,options:n,label:s})=>a`<div class="tabs" role="group" aria-label=${s}>
  ${n.map(([o,r,l,d])=>a`<button title=${d} aria-pressed=${o===(e??"")} onClick=${()=>t(o)}>${r}${l!==void 0&&a` <small>${typeof l=="number"?C(l):l}</small>`}</button>`)}</div>`;
function Ge({title:e,act:t,dismiss:n="Cancel",danger:s,wide:o,onAct:r,onClose:l,ready:d=!0,children:m}){let w=Ht(null),[S,E]=O(!1),[v,T]=O("");return Se(()=>{let ne=document.
activeElement,ie=w.current;return ie.showModal(),(ie.querySelector("[data-first]")??ie.querySelector("input,textarea,select"))?.focus(),()=>{ie.close(),ne?.focus?.()}},
[]),a`<dialog ref=${w} class=${o?"wide":""} aria-label=${e} onCancel=${ne=>{ne.preventDefault(),l()}}
      onMouseDown=${ne=>ne.target===w.current&&l()}>
    <form onSubmit=${async ne=>{if(ne.preventDefault(),!(S||!d)){E(!0),T("");try{await r(),l()}catch(ie){T(ie.message),E(!1)}}}}>
      <header><h2>${e}</h2></header>
      <div class="inside">${m}${v&&a`<div class="callout bad" role="alert"><${sa} text=${v} /></div>`}</div>
      <footer>
        <button type="button" onClick=${l}>${t?n:"Close"}</button>
        ${t&&a`<button type="submit" class=${s?"danger solid":"primary"} disabled=${S||!d}>${S?"…":t}</button>`}
      </footer>
    </form>
  </dialog>`}var Oe=({name:e,hint:t,children:n})=>a`<label class="field"><span>${e}</span>${n}${t&&a`<small>${t}</small>`}</label>`,Uc=()=>{},Ke=(e,t)=>Uc({text:sr(
e)||e,bad:t,key:Math.random()});function Bc(){let[e,t]=O([]);return Uc=n=>{t(s=>[...s.slice(-3),n]),setTimeout(()=>t(s=>s.filter(o=>o!==n)),n.bad?9e3:5e3)},a`<div class="toasts" role="status" aria-live="polite">${e.
map(n=>a`<div class="toast ${n.bad?"bad":""}" key=${n.key}>${n.text}</div>`)}</div>`}var Jc=(e,t)=>{try{localStorage.setItem(e,t)}catch{}},Oi=e=>{try{return localStorage.getItem(e)}catch{return null}},Gc="(prefers-color-scheme: dark)",As=()=>(document.
documentElement.dataset.theme??(matchMedia(Gc).matches?"dark":"light"))==="dark";function rr(e){let t=matchMedia(Gc);return t.addEventListener("change",e),window.
addEventListener("theme",e),()=>{t.removeEventListener("change",e),window.removeEventListener("theme",e)}}function Kc(e){document.documentElement.dataset.theme=
e,window.dispatchEvent(new Event("theme"))}function Ms(){let e=As()?"light":"dark";Kc(e),Jc("theme",e)}var or=()=>document.documentElement.dataset.rows==="compa\
ct";function Vc(e){e?document.documentElement.dataset.rows="compact":delete document.documentElement.dataset.rows}function ir(){Vc(!or()),Jc("rows",or()?"compac\
t":"roomy")}function Yc(){Oi("theme")&&Kc(Oi("theme")),Vc(Oi("rows")==="compact")}var Ah=12,_a=e=>()=>{location.hash=e},Mh=e=>[...uo.map(([t,n,s])=>({name:s,kind:"page",key:`g ${t}`,act:_a("#/"+n)})),{name:"Backtest of rules",kind:"page",act:_a(
"#/rules/backtest")},{name:"Failed jobs",kind:"page",act:_a("#/jobs?state=failed")},{name:"Audiences with problems",kind:"page",act:_a("#/audiences?only=problem\
s")},{name:As()?"Light colours":"Dark colours",kind:"setting",key:"t",act:Ms},{name:Tn()?"Times in this computer's zone":"Times in UTC",kind:"setting",key:"d",act:()=>ws(
!Tn())},{name:or()?"Roomy rows":"Compact rows",kind:"setting",key:"z",act:ir},{name:"Keys",kind:"help",key:"?",act:e}];function Zc({onClose:e,onHelp:t}){let n=Ht(
null),[s,o]=O(""),[r,l]=O(0),[d,m]=O([]);Se(()=>{let v=document.activeElement;return n.current.showModal(),ta("/api/audiences").then(({audiences:T})=>m(U=>[...U,
...T.map(ne=>({name:ne.target,kind:"audience",act:_a(oe("audiences",ne.target))}))]),()=>{}),ta("/api/campaigns").then(({campaigns:T})=>m(U=>[...U,...T.map(ne=>({
name:ne.code,kind:"campaign",act:_a(oe("campaigns",ne.code))}))]),()=>{}),()=>v?.isConnected&&v.focus?.({preventScroll:!0})},[]);let w=Zt(()=>{let v=s.toLowerCase().
split(/\s+/).filter(Boolean),T=[...Mh(t),...d].filter(U=>v.every(ne=>`${U.name} ${U.kind}`.toLowerCase().includes(ne))).slice(0,Ah);return/^\S+$/.test(s.trim())&&
T.push({name:`Open the job ${s.trim()}`,kind:"job",act:_a(oe("jobs",s.trim()))}),s.trim()&&T.push({name:`Search jobs for “${s.trim()}”`,kind:"search",act:_a(
"#/jobs?text="+encodeURIComponent(s.trim()))}),T},[s,d]),S=v=>{e(),v?.act()},E=v=>{let T={ArrowDown:1,ArrowUp:-1}[v.key];T&&(v.preventDefault(),l((r+T+w.length)%
w.length)),v.key==="Enter"&&(v.preventDefault(),S(w[r]))};return a`<dialog ref=${n} class="palette" aria-label="Find" onCancel=${v=>{v.preventDefault(),e()}} onMouseDown=${v=>v.
target===n.current&&e()}>
    <input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${`found-${r}`} aria-label="Find a page, an audience, a campaign or a job" placeholder="Find a page, an audience, a campaign or a job …"
      autofocus value=${s} onInput=${v=>{o(v.target.value),l(0)}} onKeyDown=${E} />
    <ul role="listbox" id="found" aria-label="Found">${w.map((v,T)=>a`<li role="option" id=${`found-${T}`} aria-selected=${T===r} onMouseMove=${()=>l(T)} onClick=${()=>S(
v)}><span>${v.name}</span><span class="faint small">${v.key?a`<kbd>${v.key}</kbd>`:v.kind}</span></li>`)}</ul>
  </dialog>`}var Eh=/Mac|iPhone|iPad/.test(navigator.platform),Ih=[[Eh?"⌘ K":"Ctrl K","Find a page, an audience, a campaign or a job"],["/","Search on this page"],["j  k",
"Next and previous row"],["Enter","Open the row"],["x","Select the row"],["Esc","Close what is open"],...uo.map(([e,,t])=>[`g ${e}`,t]),["z","Compact rows, or r\
oomy ones"],["t","Light or dark colours"],["d","Times in UTC, or in this computer's zone"],["?","These keys"]],Oh=e=>e.target.closest?.("input:not([type=checkbo\
x]), textarea, select, [contenteditable]"),Ph=()=>[...document.querySelectorAll("main tbody tr, main .incident")].filter(e=>e.offsetParent!==null);function Xc(e){
let t=Ph();if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("at")),s=t[n<0?e>0?0:t.length-1:Math.min(Math.max(n+e,0),t.length-1)];t.forEach(r=>r.
classList.toggle("at",r===s)),(s.querySelector("a.id, button.id")??s.querySelector("a, button"))?.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"})}
var zh=()=>document.querySelector("main .at input[type=checkbox]")?.click(),Lh=()=>document.querySelector("main input[type=search]")?.focus();function Qc(){let[
e,t]=O("");Se(()=>{let s=0,o=r=>{if((r.ctrlKey||r.metaKey)&&!r.altKey&&r.key.toLowerCase()==="k"){r.preventDefault(),t("palette");return}if(r.ctrlKey||r.metaKey||
r.altKey||Oh(r)||document.querySelector("dialog[open]"))return;let l=Date.now()-s<1500&&uo.find(([m])=>m===r.key);if(s=0,l){location.hash="#/"+l[1];return}let d={
g:()=>{s=Date.now()},"/":Lh,"?":()=>t("help"),j:()=>Xc(1),k:()=>Xc(-1),x:zh,z:ir,t:Ms,d:()=>ws(!Tn())}[r.key];d&&(r.preventDefault(),d())};return window.addEventListener(
"keydown",o),()=>window.removeEventListener("keydown",o)},[]);let n=()=>t("");return e==="palette"?a`<${Zc} onClose=${n} onHelp=${()=>t("help")} />`:e==="help"&&
a`<${Ge} title="Keys" onClose=${n}><dl class="facts keys">${Ih.map(([s,o])=>a`<dt><kbd>${s}</kbd></dt><dd>${o}</dd>`)}</dl><//>`}function tu(e){let[t,n]=O(Date.now());Se(()=>{let U=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(U)},[]);let{state:s,heard:o,cut:r}=tr(),l=(s?.services??
[]).filter(U=>U.since),[d="",m]=e,w=d===""||d==="jobs"&&!m,S=d==="campaigns"?["NATS","Platform"]:["NATS"],E=l.filter(U=>S.includes(U.name)),v=s&&new Date(w&&!s.
figures.startsWith("0001")?s.figures:E.length?E[0].since:s.at),T=v?(new Date(s.at)-v+t-o)/1e3:0;return{state:s,lost:l,cut:r,heard:o,asOf:v,age:Math.max(0,T),stale:r||
E.length>0,well:!r&&l.length===0}}function nu({status:{state:e,lost:t,cut:n,heard:s,asOf:o,age:r,stale:l}}){if(!e)return a`<div class="status"><span class="faint">${n?
"usher does not respond":"Connecting …"}</span></div>`;let d=t.some(w=>w.name==="NATS"),m=w=>n||d&&w.name==="NATS writes"?"":w.since?"off":"on";return a`<div class="status">
      ${e.services.map(w=>a`<span key=${w.name} class="service ${m(w)}"><i></i>${w.name}<span class="sr">${{on:" works",off:" is lost"}[m(w)]??" unknown"}</span></span>`)}
      <span class="nowrap">${L(e.workers,"worker")}${e.workers>0&&a`, <span title="when the worker that was silent for longest sent its heartbeat">heard ${Math.
round(e.oldest+Math.max(0,Date.now()-s)/1e3)} s ago</span>`}</span>
      <span class="asof nowrap" title=${o&&zt(o)}>as of ${l?ln(o):Math.round(r)+" s"}</span>
    </div>
    <div class="lost" role="alert">
      ${n&&a`<${eu} key="page" says=${`This page has no connection to usher since ${ln(s)}; figures are from ${ln(Math.min(s,o))}.`}
        hint="It connects again by itself. If it does not: is usher running, and can this computer reach it?" />`}
      ${!n&&t.map(w=>a`<${eu} key=${w.name} hint=${w.hint} why=${w.why}
        says=${`${w.says} since ${ln(w.since)}${l?`; figures are from ${ln(o)}`:""}.`} />`)}
    </div>`}var eu=({says:e,why:t,hint:n})=>a`<div class="callout bad"><div><div class="says">${e}</div><${sa} text=${n} />${t&&a`<div class="faint small"><${At} text=${t} /></div>`}</div></div>`;function au({why:e,onIn:t}){let[n,s]=O(""),[o,r]=O(!1),[l,d]=O(""),[m,w]=O(""),S=Ne.ways??[],E=async(T,U)=>{r(!0),s("");try{await Pe(T,U),await t()}catch(ne){s(
ne.message),r(!1)}},v=()=>{let{names:T}=na();return T[0]!=="login"||!T[1]?!1:(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")),E(
"/api/login/link",{Token:T[1]}),!0)};return Se(()=>(document.title="Log in · usher",window.addEventListener("hashchange",v),!v()&&S.includes("proxy")&&E("/api/\
login/proxy",{}),Ne.ways?.length||ks().catch(T=>s(T.message)),()=>window.removeEventListener("hashchange",v)),[]),Se(()=>{if(Ne.absent!=="unread")return;let T=setInterval(
()=>t().catch(()=>{}),2e3);return()=>clearInterval(T)},[e]),a`<div class="login"><div class="box">
    <div class="brand">${bn.brand}usher</div>
    <p class="soft" role="status">${e??"Log in to see what usher does."}</p>
    ${S.includes("password")&&a`<form onSubmit=${T=>{T.preventDefault(),E("/api/login",{User:l,Password:m})}}>
      <${Oe} name="Name"><input type="text" autocomplete="username" required autofocus value=${l} onInput=${T=>d(T.target.value)} /><//>
      <${Oe} name="Password"><input type="password" autocomplete="current-password" required value=${m} onInput=${T=>w(T.target.value)} /><//>
      <button class="primary" disabled=${o}>${o?"Logging in …":"Log in"}</button>
    </form>`}
    ${S.includes("link")&&a`<p class="soft">${o?"Logging in …":"Open the link that usher printed when it started. It logs in one browser, once; the next link \
is in usher's log."}</p>`}
    ${S.includes("proxy")&&a`<button disabled=${o} onClick=${()=>E("/api/login/proxy",{})}>Log in through the proxy</button>`}
    ${n&&a`<div class="callout bad" role="alert"><div>${n}</div></div>`}
  </div></div>`}function oa(e){let t=e.consequence;return t?`${e.dryRun?"would be ":""}+${C(t.added)}, −${C(t.removed)}, ${e.dryRun?"then":"now"} ${C(t.now)}`:e.new===void 0?
"":`+${C(e.new)} of ${C(e.accepted)} accepted`}var Fh=e=>Object.entries(e??{}).sort((t,n)=>n[1]-t[1]).map(([t,n])=>`${C(n)} ${aa(t)}`).join(", ");function Es({r:e}){
let t=oa(e),n=Fh(e.rejected);return a`${t&&a`<span class=${e.consequence?.large?"bad-ink":""}>${t}</span>`}${t&&n&&"; "}${n&&a`rejected: ${n}`}`}var Nh=(function(){"use strict";let e="u-off",t="u-label",n="width",s="height",r="bottom",l="left",d="right",m="#000",w=m+"0",S="mousemove",E="mousedown",v="mou\
seup",T="mouseenter",U="mouseleave",ne="dblclick",ie="change",ye="dppxchange",le="--",Ve=typeof window<"u",an=Ve?document:null,pt=Ve?window:null,de=Ve?navigator:
null,$e,Qt;function vt(i,u){if(u!=null){let $=i.classList;!$.contains(u)&&$.add(u)}}function Bt(i,u){let $=i.classList;$.contains(u)&&$.remove(u)}function ae(i,u,$){
i.style[u]=$+"px"}function wt(i,u,$,p){let g=an.createElement(i);return u!=null&&vt(g,u),$?.insertBefore(g,p),g}function yt(i,u){return wt("div",i,u)}let ll=new WeakMap;
function Fn(i,u,$,p,g){let k="translate("+u+"px,"+$+"px)";k!=ll.get(i)&&(i.style.transform=k,ll.set(i,k),0>u||0>$||u>p||$>g?vt(i,e):Bt(i,e))}let dl=new WeakMap;
function cl(i,u,$){let p=u+$;p!=dl.get(i)&&(dl.set(i,p),i.style.background=u,i.style.borderColor=$)}let ul=new WeakMap;function pl(i,u,$,p){let g=u+""+$;g!=ul.get(
i)&&(ul.set(i,g),i.style.height=$+"px",i.style.width=u+"px",i.style.marginLeft=p?-u/2+"px":0,i.style.marginTop=p?-$/2+"px":0)}let br={passive:!0},op={...br,capture:!0};
function Ra(i,u,$,p){u.addEventListener(i,$,p?op:br)}function vr(i,u,$){u.removeEventListener(i,$,br)}function Rn(i,u,$,p){let g;$=$||0;let k=2147483647>=(p=p||
u.length-1);for(;p-$>1;)g=k?$+p>>1:hn(($+p)/2),i>u[g]?$=g:p=g;return i-u[$]>u[p]-i?p:$}function hl(i){return(u,$,p)=>{let g=-1,k=-1;for(let y=$;p>=y;y++)if(i(u[y])){
g=y;break}for(let y=p;y>=$;y--)if(i(u[y])){k=y;break}return[g,k]}}Ve&&(function i(){let u=devicePixelRatio;$e!=u&&($e=u,Qt&&vr(ie,Qt,i),Qt=matchMedia(`(min-reso\
lution: ${$e-.001}dppx) and (max-resolution: ${$e+.001}dppx)`),Ra(ie,Qt,i),pt.dispatchEvent(new CustomEvent(ye)))})();let fl=i=>i!=null,ml=i=>i!=null&&i>0,yo=hl(
fl),rp=hl(ml);function xo(i,u,$,p){let g=bl(i),k=bl(u);i==u&&(g==-1?(i*=$,u/=$):(i/=$,u*=$));let y=$==10?Gn:vl,D=k==1?xn:hn,A=(g==1?hn:xn)(y(Tt(i))),R=D(y(Tt(u))),
I=Va($,A),_=Va($,R);return $==10&&(0>A&&(I=Ze(I,-A)),0>R&&(_=Ze(_,-R))),p||$==2?(i=I*g,u=_*k):(i=jl(i,I),u=Co(u,_)),[i,u]}function wr(i,u,$,p){let g=xo(i,u,$,p);
return i==0&&(g[0]=0),u==0&&(g[1]=0),g}let yr=.1,$l={mode:3,pad:yr},Js={pad:0,soft:null,mode:0},ip={min:Js,max:Js};function ko(i,u,$,p){return jo($)?gl(i,u,$):(Js.
pad=$,Js.soft=p?0:null,Js.mode=p?3:0,gl(i,u,ip))}function Le(i,u){return i??u}function gl(i,u,$){let p=$.min,g=$.max,k=Le(p.pad,0),y=Le(g.pad,0),D=Le(p.hard,-Ye),
A=Le(g.hard,Ye),R=Le(p.soft,Ye),I=Le(g.soft,-Ye),_=Le(p.mode,0),W=Le(g.mode,0),Y=u-i,B=Gn(Y),V=en(Tt(i),Tt(u)),xe=Gn(V),ue=Tt(xe-B);(1e-24>Y||ue>10)&&(Y=0,i!=0&&
u!=0||(Y=1e-24,_==2&&R!=Ye&&(k=0),W==2&&I!=-Ye&&(y=0)));let q=Y||V||1e3,be=Gn(q),G=Va(10,hn(be)),ee=Ze(jl(i-q*(Y==0?i==0?.1:1:k),G/10),24),J=R>i||_!=1&&(_!=3||ee>
R)&&(_!=2||R>ee)?Ye:R,_e=en(D,J>ee&&i>=J?J:An(J,ee)),Ce=Ze(Co(u+q*(Y==0?u==0?.1:1:y),G/10),24),De=u>I||W!=1&&(W!=3||I>Ce)&&(W!=2||Ce>I)?-Ye:I,Me=An(A,Ce>De&&De>=
u?De:en(De,Ce));return _e==Me&&_e==0&&(Me=100),[_e,Me]}let lp=new Intl.NumberFormat(Ve?de.language:"en-US"),xr=i=>lp.format(i),pn=Math,_o=pn.PI,Tt=pn.abs,hn=pn.
floor,Dt=pn.round,xn=pn.ceil,An=pn.min,en=pn.max,Va=pn.pow,bl=pn.sign,Gn=pn.log10,vl=pn.log2,kr=(i,u=1)=>pn.asinh(i/u),Ye=1/0;function wl(i){return 1+(0|Gn((i^i>>
31)-(i>>31)))}function _r(i,u,$){return An(en(i,u),$)}function yl(i){return typeof i=="function"}function Ie(i){return yl(i)?i:()=>i}let xl=i=>i,kl=(i,u)=>u,dp=()=>null,
_l=()=>!0,Cl=(i,u)=>i==u,cp=/\.\d*?(?=9{6,}|0{6,})/gm,Aa=i=>{if(Tl(i)||ia.has(i))return i;let u=""+i,$=u.match(cp);if($==null)return i;let p=$[0].length-1;if(u.
indexOf("e-")!=-1){let[g,k]=u.split("e");return+`${Aa(g)}e${k}`}return Ze(i,p)};function Ma(i,u){return Aa(Ze(Aa(i/u))*u)}function Co(i,u){return Aa(xn(Aa(i/u))*
u)}function jl(i,u){return Aa(hn(Aa(i/u))*u)}function Ze(i,u=0){if(Tl(i))return i;let $=10**u;return Dt(i*$*(1+Number.EPSILON))/$}let ia=new Map;function Sl(i){
return((""+i).split(".")[1]||"").length}function Gs(i,u,$,p){let g=[],k=p.map(Sl);for(let y=u;$>y;y++){let D=Tt(y),A=Ze(Va(i,y),D);for(let R=0;p.length>R;R++){let I=i==
10?+`${p[R]}e${y}`:p[R]*A,_=(0>y?D:0)+(k[R]>y?k[R]:0),W=i==10?I:Ze(I,_);g.push(W),ia.set(W,_)}}return g}let Ks={},Cr=[],Ya=[null,null],la=Array.isArray,Tl=Number.
isInteger;function Dl(i){return typeof i=="string"}function jo(i){let u=!1;if(i!=null){let $=i.constructor;u=$==null||$==Object}return u}function up(i){return i!=
null&&typeof i=="object"}let pp=Object.getPrototypeOf(Uint8Array),Rl="__proto__";function Za(i,u=jo){let $;if(la(i)){let p=i.find((g=>g!=null));if(la(p)||u(p)){
$=Array(i.length);for(let g=0;i.length>g;g++)$[g]=Za(i[g],u)}else $=i.slice()}else if(i instanceof pp)$=i.slice();else if(u(i)){$={};for(let p in i)p!=Rl&&($[p]=
Za(i[p],u))}else $=i;return $}function xt(i){let u=arguments;for(let $=1;u.length>$;$++){let p=u[$];for(let g in p)g!=Rl&&(jo(i[g])?xt(i[g],Za(p[g])):i[g]=Za(p[g]))}
return i}function hp(i,u,$){for(let p,g=0,k=-1;u.length>g;g++){let y=u[g];if(y>k){for(p=y-1;p>=0&&i[p]==null;)i[p--]=null;for(p=y+1;$>p&&i[p]==null;)i[k=p++]=null}}}
let fp=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask,Al=["January","February","March","April","May","June","July","August","September","\
October","November","December"],Ml=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function El(i){return i.slice(0,3)}let mp=Ml.map(El),
$p=Al.map(El),gp={MMMM:Al,MMM:$p,WWWW:Ml,WWW:mp};function Vs(i){return(10>i?"0":"")+i}let bp={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,u)=>u.
MMMM[i.getMonth()],MMM:(i,u)=>u.MMM[i.getMonth()],MM:i=>Vs(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Vs(i.getDate()),D:i=>i.getDate(),WWWW:(i,u)=>u.WWWW[i.getDay()],
WWW:(i,u)=>u.WWW[i.getDay()],HH:i=>Vs(i.getHours()),H:i=>i.getHours(),h:i=>{let u=i.getHours();return u==0?12:u>12?u-12:u},AA:i=>12>i.getHours()?"AM":"PM",aa:i=>12>
i.getHours()?"am":"pm",a:i=>12>i.getHours()?"a":"p",mm:i=>Vs(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Vs(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>(function(u){
return(10>u?"00":100>u?"0":"")+u})(i.getMilliseconds())};function jr(i,u){u=u||gp;let $,p=[],g=/\{([a-z]+)\}|[^{]+/gi;for(;$=g.exec(i);)p.push($[0][0]=="{"?bp[$[1]]:
$[0]);return k=>{let y="";for(let D=0;p.length>D;D++)y+=typeof p[D]=="string"?p[D]:p[D](k,u);return y}}let vp=new Intl.DateTimeFormat().resolvedOptions().timeZone,
Il=i=>i%1==0,So=[1,2,2.5,5],wp=Gs(10,-32,0,So),Ol=Gs(10,0,32,So),yp=Ol.filter(Il),Ea=wp.concat(Ol),Pl="{YYYY}",zl=`
`+Pl,Ll="{M}/{D}",Ys=`
`+Ll,To=Ys+"/{YY}",Fl="{aa}",Xa="{h}:{mm}"+Fl,Nl=`
`+Xa,Wl=":{ss}",He=null;function ql(i){let u=1e3*i,$=60*u,p=60*$,g=24*p,k=30*g,y=365*g;return[(i==1?Gs(10,0,3,So).filter(Il):Gs(10,-3,0,So)).concat([u,5*u,10*u,
15*u,30*u,$,5*$,10*$,15*$,30*$,p,2*p,3*p,4*p,6*p,8*p,12*p,g,2*g,3*g,4*g,5*g,6*g,7*g,8*g,9*g,10*g,15*g,k,2*k,3*k,4*k,6*k,y,2*y,5*y,10*y,25*y,50*y,100*y]),[[y,Pl,
He,He,He,He,He,He,1],[28*g,"{MMM}",zl,He,He,He,He,He,1],[g,Ll,zl,He,He,He,He,He,1],[p,"{h}"+Fl,To,He,Ys,He,He,He,1],[$,Xa,To,He,Ys,He,He,He,1],[u,Wl,To+" "+Xa,He,
Ys+" "+Xa,He,Nl,He,1],[i,Wl+".{fff}",To+" "+Xa,He,Ys+" "+Xa,He,Nl,He,1]],function(D){return(A,R,I,_,W,Y)=>{let B=[],V=W>=y,xe=W>=k&&y>W,ue=D(I),q=Ze(ue*i,3),be=Sr(
ue.getFullYear(),V?0:ue.getMonth(),xe||V?1:ue.getDate()),G=Ze(be*i,3);if(xe||V){let ee=xe?W/k:0,J=V?W/y:0,_e=q==G?q:Ze(Sr(be.getFullYear()+J,be.getMonth()+ee,1)*
i,3),Ce=new Date(Dt(_e/i)),De=Ce.getFullYear(),Me=Ce.getMonth();for(let Z=0;_>=_e;Z++){let re=Sr(De+J*Z,Me+ee*Z,1),me=re-D(Ze(re*i,3));_e=Ze((+re+me)*i,3),_e>_||
B.push(_e)}}else{let ee=g>W?W:g,J=G+(hn(I)-hn(q))+Co(q-G,ee);B.push(J);let _e=D(J),Ce=_e.getHours()+_e.getMinutes()/$+_e.getSeconds()/p,De=W/p,Me=Y/A.axes[R]._space;
for(;J=Ze(J+W,i==1?0:3),_>=J;)if(De>1){let Z=hn(Ze(Ce+De,6))%24,re=D(J).getHours()-Z;re>1&&(re=-1),J-=re*p,Ce=(Ce+De)%24,.7>Ze((J-B[B.length-1])/W,3)*Me||B.push(
J)}else B.push(J)}return B}}]}let[xp,kp,_p]=ql(1),[Cp,jp,Sp]=ql(.001);function Hl(i,u){return i.map(($=>$.map(((p,g)=>g==0||g==8||p==null?p:u(g==1||$[8]==0?p:$[1]+
p)))))}function Ul(i,u){return($,p,g,k,y)=>{let D,A,R,I,_,W,Y=u.find((B=>y>=B[0]))||u[u.length-1];return p.map((B=>{let V=i(B),xe=V.getFullYear(),ue=V.getMonth(),
q=V.getDate(),be=V.getHours(),G=V.getMinutes(),ee=V.getSeconds(),J=xe!=D&&Y[2]||ue!=A&&Y[3]||q!=R&&Y[4]||be!=I&&Y[5]||G!=_&&Y[6]||ee!=W&&Y[7]||Y[1];return D=xe,
A=ue,R=q,I=be,_=G,W=ee,J(V)}))}}function Sr(i,u,$){return new Date(i,u,$)}function Bl(i,u){return u(i)}function Jl(i,u){return($,p,g,k)=>k==null?le:u(i(p))}Gs(2,
-53,53,[1]);let Tp={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:function(i,u){let $=i.series[u];return $.width?$.stroke(i,u):$.points.
width?$.points.stroke(i,u):null},fill:function(i,u){return i.series[u].fill(i,u)},dash:"solid"},idx:null,idxs:null,values:[]},Tr=[0,0];function Do(i,u,$,p=!0){return g=>{
g.button==0&&(!p||g.target==u)&&$(g)}}function Dr(i,u,$,p=!0){return g=>{(!p||g.target==u)&&$(g)}}let Dp={show:!0,x:!0,y:!0,lock:!1,move:function(i,u,$){return Tr[0]=
u,Tr[1]=$,Tr},points:{one:!1,show:function(i,u){let $=i.cursor.points,p=yt(),g=$.size(i,u);ae(p,n,g),ae(p,s,g);let k=g/-2;ae(p,"marginLeft",k),ae(p,"marginTop",
k);let y=$.width(i,u,g);return y&&ae(p,"borderWidth",y),p},size:function(i,u){return i.series[u].points.size},width:0,stroke:function(i,u){let $=i.series[u].points;
return $._stroke||$._fill},fill:function(i,u){let $=i.series[u].points;return $._fill||$._stroke}},bind:{mousedown:Do,mouseup:Do,click:Do,dblclick:Do,mousemove:Dr,
mouseleave:Dr,mouseenter:Dr},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,u)=>{u.stopPropagation(),u.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,u,$,p,g)=>p-
g,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Gl={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},
Rr=xt({},Gl,{filter:kl}),Kl=xt({},Rr,{size:10}),Vl=xt({},Gl,{show:!1}),Ar='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto San\
s", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Yl="bold "+Ar,Zl={show:!0,scale:"x",stroke:m,space:50,gap:5,alignTo:1,
size:50,labelGap:0,labelSize:30,labelFont:Yl,side:2,grid:Rr,ticks:Kl,border:Vl,font:Ar,lineGap:1.5,rotate:0},Xl={show:!0,scale:"x",auto:!1,sorted:1,min:Ye,max:-Ye,
idxs:[]};function Rp(i,u){return u.map(($=>$==null?"":xr($)))}function Ap(i,u,$,p,g,k,y){let D=[],A=ia.get(g)||0;for(let R=$=y?$:Ze(Co($,g),A);p>=R;R=Ze(R+g,A))
D.push(Object.is(R,-0)?0:R);return D}function Mr(i,u,$,p,g){let k=[],y=i.scales[i.axes[u].scale].log,D=hn((y==10?Gn:vl)($));g=Va(y,D),y==10&&(g=Ea[Rn(g,Ea)]);let A=$,
R=g*y;y==10&&(R=Ea[Rn(R,Ea)]);do k.push(A),A+=g,y!=10||ia.has(A)||(A=Ze(A,ia.get(g))),R>A||(R=(g=A)*y,y==10&&(R=Ea[Rn(R,Ea)]));while(p>=A);return k}function Mp(i,u,$,p,g){
let k=i.scales[i.axes[u].scale].asinh,y=p>k?Mr(i,u,en(k,$),p,g):[k],D=0>p||$>0?[]:[0];return(-k>$?Mr(i,u,en(k,-p),-$,g):[k]).reverse().map((A=>-A)).concat(D,y)}
let Ql=/./,Ep=/[12357]/,Ip=/[125]/,ed=/1/,Er=(i,u,$,p)=>i.map(((g,k)=>u==4&&g==0||k%p==0&&$.test(g.toExponential()[0>g?1:0])?g:null));function Op(i,u,$){let p=i.
axes[$],g=p.scale,k=i.scales[g],y=i.valToPos,D=p._space,A=y(10,g),R=y(9,g)-A<D?y(7,g)-A<D?y(5,g)-A<D?ed:Ip:Ep:Ql;if(R==ed){let I=Tt(y(1,g)-A);if(D>I)return Er(u.
slice().reverse(),k.distr,R,xn(D/I)).reverse()}return Er(u,k.distr,R,1)}function Pp(i,u,$){let p=i.axes[$],g=p.scale,k=p._space,y=i.valToPos,D=Tt(y(1,g)-y(2,g));
return k>D?Er(u.slice().reverse(),3,Ql,xn(k/D)).reverse():u}function zp(i,u,$,p){return p==null?le:u==null?"":xr(u)}let td={show:!0,scale:"y",stroke:m,space:30,
gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Yl,side:3,grid:Rr,ticks:Kl,border:Vl,font:Ar,lineGap:1.5,rotate:0},nd={scale:null,auto:!0,sorted:0,min:Ye,
max:-Ye},ad=(i,u,$,p,g)=>g,sd={show:!0,auto:!0,sorted:0,gaps:ad,alpha:1,facets:[xt({},nd,{scale:"x"}),xt({},nd,{scale:"y"})]},od={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:ad,alpha:1,points:{show:function(i,u){let{scale:$,idxs:p}=i.series[0],g=i._data[0],k=i.valToPos(g[p[0]],$,!0),y=i.valToPos(g[p[1]],$,!0);return Tt(
y-k)/(i.series[u].points.space*$e)>=p[1]-p[0]},filter:null},values:null,min:Ye,max:-Ye,idxs:[],path:null,clip:null};function Lp(i,u,$){return $/10}let rd={time:!0,
auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Fp=xt({},rd,{time:!1,ori:1}),id={};function ld(i){let u=id[i];return u||(u={key:i,plots:[],sub($){
u.plots.push($)},unsub($){u.plots=u.plots.filter((p=>p!=$))},pub($,p,g,k,y,D,A){for(let R=0;u.plots.length>R;R++)u.plots[R]!=p&&u.plots[R].pub($,p,g,k,y,D,A)}},
i!=null&&(id[i]=u)),u}function Ia(i,u,$){let p=i.mode,g=i.series[u],k=p==2?i._data[u]:i._data,y=i.scales,D=i.bbox,A=k[0],R=p==2?k[1]:k[u],I=p==2?y[g.facets[0].scale]:
y[i.series[0].scale],_=p==2?y[g.facets[1].scale]:y[g.scale],W=D.left,Y=D.top,B=D.width,V=D.height,xe=i.valToPosH,ue=i.valToPosV;return I.ori==0?$(g,A,R,I,_,xe,ue,
W,Y,B,V,Ao,Qa,Eo,ud,hd):$(g,A,R,I,_,ue,xe,Y,W,V,B,Mo,es,Pr,pd,fd)}function Ir(i,u){let $=0,p=0,g=Le(i.bands,Cr);for(let k=0;g.length>k;k++){let y=g[k];y.series[0]==
u?$=y.dir:y.series[1]==u&&(p|=y.dir==1?1:2)}return[$,p==1?-1:p==2?1:p==3?2:0]}function Np(i,u,$,p,g){let k=i.series[u],y=i.scales[i.mode==2?k.facets[1].scale:k.
scale];return g==-1?y.min:g==1?y.max:y.distr==3?y.dir==1?y.min:y.max:0}function Kn(i,u,$,p,g,k){return Ia(i,u,((y,D,A,R,I,_,W,Y,B,V,xe)=>{let ue=y.pxRound,q=R.ori==
0?Qa:es,be,G;R.dir*(R.ori==0?1:-1)==1?(be=$,G=p):(be=p,G=$);let ee=ue(_(D[be],R,V,Y)),J=ue(W(A[be],I,xe,B)),_e=ue(_(D[G],R,V,Y)),Ce=ue(W(k==1?I.max:I.min,I,xe,B)),
De=new Path2D(g);return q(De,_e,Ce),q(De,ee,Ce),q(De,ee,J),De}))}function Ro(i,u,$,p,g,k){let y=null;if(i.length>0){y=new Path2D;let D=u==0?Eo:Pr,A=$;for(let _=0;i.
length>_;_++){let W=i[_];if(W[1]>W[0]){let Y=W[0]-A;Y>0&&D(y,A,p,Y,p+k),A=W[1]}}let R=$+g-A,I=10;R>0&&D(y,A,p-I/2,R,p+k+I)}return y}function Or(i,u,$,p,g,k,y){let D=[],
A=i.length;for(let R=g==1?$:p;R>=$&&p>=R;R+=g)if(u[R]===null){let I=R,_=R;if(g==1)for(;++R<=p&&u[R]===null;)_=R;else for(;--R>=$&&u[R]===null;)_=R;let W=k(i[I]),
Y=_==I?W:k(i[_]),B=I-g;W=y>0||0>B||B>=A?W:k(i[B]);let V=_+g;Y=0>y||0>V||V>=A?Y:k(i[V]),W>Y||D.push([W,Y])}return D}function dd(i){return i==0?xl:i==1?Dt:u=>Ma(u,
i)}function cd(i){let u=i==0?Ao:Mo,$=i==0?(g,k,y,D,A,R)=>{g.arcTo(k,y,D,A,R)}:(g,k,y,D,A,R)=>{g.arcTo(y,k,A,D,R)},p=i==0?(g,k,y,D,A)=>{g.rect(k,y,D,A)}:(g,k,y,D,A)=>{
g.rect(y,k,A,D)};return(g,k,y,D,A,R=0,I=0)=>{R==0&&I==0?p(g,k,y,D,A):(R=An(R,D/2,A/2),I=An(I,D/2,A/2),u(g,k+R,y),$(g,k+D,y,k+D,y+A,R),$(g,k+D,y+A,k,y+A,I),$(g,k,
y+A,k,y,I),$(g,k,y,k+D,y,R),g.closePath())}}let Ao=(i,u,$)=>{i.moveTo(u,$)},Mo=(i,u,$)=>{i.moveTo($,u)},Qa=(i,u,$)=>{i.lineTo(u,$)},es=(i,u,$)=>{i.lineTo($,u)},
Eo=cd(0),Pr=cd(1),ud=(i,u,$,p,g,k)=>{i.arc(u,$,p,g,k)},pd=(i,u,$,p,g,k)=>{i.arc($,u,p,g,k)},hd=(i,u,$,p,g,k,y)=>{i.bezierCurveTo(u,$,p,g,k,y)},fd=(i,u,$,p,g,k,y)=>{
i.bezierCurveTo($,u,g,p,y,k)};function md(){return(i,u,$,p,g)=>Ia(i,u,((k,y,D,A,R,I,_,W,Y,B,V)=>{let xe,ue,{pxRound:q,points:be}=k;A.ori==0?(xe=Ao,ue=ud):(xe=Mo,
ue=pd);let G=Ze(be.width*$e,3),ee=(be.size-be.width)/2*$e,J=Ze(2*ee,3),_e=new Path2D,Ce=new Path2D,{left:De,top:Me,width:Z,height:re}=i.bbox;Eo(Ce,De-J,Me-J,Z+2*
J,re+2*J);let me=Fe=>{if(D[Fe]!=null){let pe=q(I(y[Fe],A,B,W)),Ee=q(_(D[Fe],R,V,Y));xe(_e,pe+ee,Ee),ue(_e,pe,Ee,ee,0,2*_o)}};if(g)g.forEach(me);else for(let Fe=$;p>=
Fe;Fe++)me(Fe);return{stroke:G>0?_e:null,fill:_e,clip:Ce,flags:3}}))}function $d(i){return(u,$,p,g,k,y)=>{p!=g&&(k!=p&&y!=p&&i(u,$,p),k!=g&&y!=g&&i(u,$,g),i(u,$,
y))}}let Wp=$d(Qa),qp=$d(es);function gd(i){let u=Le(i?.alignGaps,0);return($,p,g,k)=>Ia($,p,((y,D,A,R,I,_,W,Y,B,V,xe)=>{[g,k]=yo(A,g,k);let ue,q,be=y.pxRound,G=re=>be(
_(re,R,V,Y)),ee=re=>be(W(re,I,xe,B));R.ori==0?(ue=Qa,q=Wp):(ue=es,q=qp);let J=R.dir*(R.ori==0?1:-1),_e={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,
flags:1},Ce=_e.stroke,De=!1;if(k-g<4*V)for(let re=J==1?g:k;re>=g&&k>=re;re+=J){let me=A[re];me===null?De=!0:me!=null&&ue(Ce,G(D[re]),ee(me))}else{let re,me,Fe,pe=ce=>$.
posToVal(ce,R.key,!0),Ee=null,it=null,Rt=G(D[J==1?g:k]),Xe=G(D[g]),Lt=G(D[k]),Re=pe(J==1?Xe+1:Lt-1);for(let ce=J==1?g:k;ce>=g&&k>=ce;ce+=J){let te=D[ce],lt=(J==
1?Re>te:te>Re)?Rt:G(te),ht=A[ce];lt==Rt?ht!=null?(me=ht,Ee==null?(ue(Ce,lt,ee(me)),re=Ee=it=me):Ee>me?Ee=me:me>it&&(it=me)):ht===null&&(De=!0):(Ee!=null&&q(Ce,Rt,
ee(Ee),ee(it),ee(re),ee(me)),ht!=null?(me=ht,ue(Ce,lt,ee(me)),Ee=it=re=me):(Ee=it=null,ht===null&&(De=!0)),Rt=lt,Re=pe(Rt+J))}Ee!=null&&Ee!=it&&Fe!=Rt&&q(Ce,Rt,
ee(Ee),ee(it),ee(re),ee(me))}let[Me,Z]=Ir($,p);if(y.fill!=null||Me!=0){let re=_e.fill=new Path2D(Ce),me=ee(y.fillTo($,p,y.min,y.max,Me)),Fe=G(D[g]),pe=G(D[k]);J==
-1&&([pe,Fe]=[Fe,pe]),ue(re,pe,me),ue(re,Fe,me)}if(!y.spanGaps){let re=[];De&&re.push(...Or(D,A,g,k,J,G,u)),_e.gaps=re=y.gaps($,p,g,k,re),_e.clip=Ro(re,R.ori,Y,
B,V,xe)}return Z!=0&&(_e.band=Z==2?[Kn($,p,g,k,Ce,-1),Kn($,p,g,k,Ce,1)]:Kn($,p,g,k,Ce,Z)),_e}))}function bd(i,u,$,p,g,k,y=Ye){if(i.length>1){let D=null;for(let A=0,
R=1/0;i.length>A;A++)if(u[A]!==void 0){if(D!=null){let I=Tt(i[A]-i[D]);R>I&&(R=I,y=Tt($(i[A],p,g,k)-$(i[D],p,g,k)))}D=A}}return y}function Hp(i,u,$,p,g){let k=i.
length;if(2>k)return null;let y=new Path2D;if($(y,i[0],u[0]),k==2)p(y,i[1],u[1]);else{let D=Array(k),A=Array(k-1),R=Array(k-1),I=Array(k-1);for(let _=0;k-1>_;_++)
R[_]=u[_+1]-u[_],I[_]=i[_+1]-i[_],A[_]=R[_]/I[_];D[0]=A[0];for(let _=1;k-1>_;_++)A[_]===0||A[_-1]===0||A[_-1]>0!=A[_]>0?D[_]=0:(D[_]=3*(I[_-1]+I[_])/((2*I[_]+I[_-
1])/A[_-1]+(I[_]+2*I[_-1])/A[_]),isFinite(D[_])||(D[_]=0));D[k-1]=A[k-2];for(let _=0;k-1>_;_++)g(y,i[_]+I[_]/3,u[_]+D[_]*I[_]/3,i[_+1]-I[_]/3,u[_+1]-D[_+1]*I[_]/
3,i[_+1],u[_+1])}return y}let zr=new Set;function vd(){for(let i of zr)i.syncRect(!0)}Ve&&(Ra("resize",pt,vd),Ra("scroll",pt,vd,!0),Ra(ye,pt,(()=>{Jt.pxRatio=$e})));
let Up=gd(),Bp=md();function wd(i,u,$,p){return(p?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map(((g,k)=>Lr(g,k,u,$)))}function Lr(i,u,$,p){return xt(
{},u==0?$:p,i)}function yd(i,u,$){return u==null?Ya:[u,$]}let Jp=yd;function Gp(i,u,$){return u==null?Ya:ko(u,$,yr,!0)}function xd(i,u,$,p){return u==null?Ya:xo(
u,$,i.scales[p].log,!1)}let Kp=xd;function kd(i,u,$,p){return u==null?Ya:wr(u,$,i.scales[p].log,!1)}let Vp=kd;function Yp(i,u,$,p,g){let k=en(wl(i),wl(u)),y=u-i,
D=Rn(g/p*y,$);do{let A=$[D],R=p*A/y;if(R>=g&&17>=k+(5>A?ia.get(A):0))return[A,R]}while(++D<$.length);return[0,0]}function _d(i){let u,$;return[i=i.replace(/(\d+)px/,
((p,g)=>(u=Dt(($=+g)*$e))+"px")),u,$]}function Zp(i){i.show&&[i.font,i.labelFont].forEach((u=>{let $=Ze(u[2]*$e,1);u[0]=u[0].replace(/[0-9.]+px/,$+"px"),u[1]=$}))}
function Jt(i,u,$){let p={mode:Le(i.mode,1)},g=p.mode;function k(c,h,f,b){let x=h.valToPct(c);return b+f*(h.dir==-1?1-x:x)}function y(c,h,f,b){let x=h.valToPct(
c);return b+f*(h.dir==-1?x:1-x)}function D(c,h,f,b){return h.ori==0?k(c,h,f,b):y(c,h,f,b)}p.valToPosH=k,p.valToPosV=y;let A=!1;p.status=0;let R=p.root=yt("uplot");
i.id!=null&&(R.id=i.id),vt(R,i.class),i.title&&(yt("u-title",R).textContent=i.title);let I=wt("canvas"),_=p.ctx=I.getContext("2d"),W=yt("u-wrap",R);Ra("click",W,
(c=>{c.target===B&&(nt!=fs||dt!=ms)&&Wt.click(p,c)}),!0);let Y=p.under=yt("u-under",W);W.appendChild(I);let B=p.over=yt("u-over",W),V=+Le((i=Za(i)).pxAlign,1),xe=dd(
V);(i.plugins||[]).forEach((c=>{c.opts&&(i=c.opts(p,i)||i)}));let ue=i.ms||.001,q=p.series=g==1?wd(i.series||[],Xl,od,!1):(function(c,h){return c.map(((f,b)=>b==
0?{}:xt({},h,f)))})(i.series||[null],sd),be=p.axes=wd(i.axes||[],Zl,td,!0),G=p.scales={},ee=p.bands=i.bands||[];ee.forEach((c=>{c.fill=Ie(c.fill||null),c.dir=Le(
c.dir,-1)}));let J=g==2?q[1].facets[0].scale:q[0].scale,_e={axes:function(){for(let c=0;be.length>c;c++){let h=be[c];if(!h.show||!h._show)continue;let f,b,x=h.side,
j=x%2,M=h.stroke(p,c),P=x==0||x==3?-1:1,[z,F]=h._found;if(h.label!=null){let ot=Dt((h._lpos+h.labelGap*P)*$e);Ad(h.labelFont[0],M,"center",x==2?"top":r),_.save(),
j==1?(f=b=0,_.translate(ot,Dt(sn+La/2)),_.rotate((x==3?-_o:_o)/2)):(f=Dt(_n+In/2),b=ot);let Yt=yl(h.label)?h.label(p,c,z,F):h.label;_.fillText(Yt,f,b),_.restore()}
if(F==0)continue;let H=G[h.scale],se=j==0?In:La,ze=j==0?_n:sn,ke=h._splits,ge=H.distr==2?ke.map((ot=>On[ot])):ke,ve=H.distr==2?On[ke[1]]-On[ke[0]]:z,N=h.ticks,he=h.
border,qe=N.show?N.size:0,gt=Dt(qe*$e),st=Dt((h.alignTo==2?h._size-qe-h.gap:h.gap)*$e),Ue=h._rotate*-_o/180,qt=xe(h._pos*$e),Kt=qt+(gt+st)*P;b=j==0?Kt:0,f=j==1?
Kt:0,Ad(h.font[0],M,h.align==1?l:h.align==2?d:Ue>0?l:0>Ue?d:j==0?"center":x==3?d:l,Ue||j==1?"middle":x==2?"top":r);let Vt=h.font[1]*h.lineGap,ft=ke.map((ot=>xe(
D(ot,H,se,ze)))),$n=h._values;for(let ot=0;$n.length>ot;ot++){let Yt=$n[ot];if(Yt!=null){j==0?f=ft[ot]:b=ft[ot],Yt=""+Yt;let rn=Yt.indexOf(`
`)==-1?[Yt]:Yt.split(/\n/gm);for(let Sn=0;rn.length>Sn;Sn++){let Xn=rn[Sn];Ue?(_.save(),_.translate(f,b+Sn*Vt),_.rotate(Ue),_.fillText(Xn,0,0),_.restore()):_.fillText(
Xn,f,b+Sn*Vt)}}}N.show&&Zr(ft,N.filter(p,ge,c,F,ve),j,x,qt,gt,Ze(N.width*$e,3),N.stroke(p,c),N.dash,N.cap);let _t=h.grid;_t.show&&Zr(ft,_t.filter(p,ge,c,F,ve),j,
j==0?2:1,j==0?sn:_n,j==0?La:In,Ze(_t.width*$e,3),_t.stroke(p,c),_t.dash,_t.cap),he.show&&Zr([qt],[1],j==0?1:0,j==0?1:2,j==1?sn:_n,j==1?La:In,Ze(he.width*$e,3),he.
stroke(p,c),he.dash,he.cap)}Pt("drawAxes")},series:function(){if(Nt>0){let c=q.some((h=>h._focus))&&on!=Nn.alpha;c&&(_.globalAlpha=on=Nn.alpha),q.forEach(((h,f)=>{
if(f>0&&h.show&&(Ed(f,!1),Ed(f,!0),h._paths==null)){let b=on;on!=h.alpha&&(_.globalAlpha=on=h.alpha);let x=g==2?[0,u[f][0].length-1]:(function(j){let M=_r(Mt-1,
0,Nt-1),P=_r(Et+1,0,Nt-1);for(;j[M]==null&&M>0;)M--;for(;j[P]==null&&Nt-1>P;)P++;return[M,P]})(u[f]);h._paths=h.paths(p,f,x[0],x[1]),on!=b&&(_.globalAlpha=on=b)}})),
q.forEach(((h,f)=>{if(f>0&&h.show){let b=on;on!=h.alpha&&(_.globalAlpha=on=h.alpha),h._paths!=null&&Id(f,!1);{let x=h._paths!=null?h._paths.gaps:null,j=h.points.
show(p,f,Mt,Et,x),M=h.points.filter(p,f,j,x);(j||M)&&(h.points._paths=h.points.paths(p,f,Mt,Et,M),Id(f,!0))}on!=b&&(_.globalAlpha=on=b),Pt("drawSeries",f)}})),c&&
(_.globalAlpha=on=1)}}},Ce=(i.drawOrder||["axes","series"]).map((c=>_e[c]));function De(c){let h=c.distr==3?f=>Gn(f>0?f:c.clamp(p,f,c.min,c.max,c.key)):c.distr==
4?f=>kr(f,c.asinh):c.distr==100?f=>c.fwd(f):f=>f;return f=>{let b=h(f),{_min:x,_max:j}=c;return(b-x)/(j-x)}}function Me(c){let h=G[c];if(h==null){let f=(i.scales||
Ks)[c]||Ks;if(f.from!=null){Me(f.from);let b=xt({},G[f.from],f,{key:c});b.valToPct=De(b),G[c]=b}else{h=G[c]=xt({},c==J?rd:Fp,f),h.key=c;let b=h.time,x=h.range,j=la(
x);if((c!=J||g==2&&!b)&&(!j||x[0]!=null&&x[1]!=null||(x={min:x[0]==null?$l:{mode:1,hard:x[0],soft:x[0]},max:x[1]==null?$l:{mode:1,hard:x[1],soft:x[1]}},j=!1),!j&&
jo(x))){let M=x;x=(P,z,F)=>z==null?Ya:ko(z,F,M)}h.range=Ie(x||(b?Jp:c==J?h.distr==3?Kp:h.distr==4?Vp:yd:h.distr==3?xd:h.distr==4?kd:Gp)),h.auto=Ie(!j&&h.auto),h.
clamp=Ie(h.clamp||Lp),h._min=h._max=null,h.valToPct=De(h)}}}Me("x"),Me("y"),g==1&&q.forEach((c=>{Me(c.scale)})),be.forEach((c=>{Me(c.scale)}));for(let c in i.scales)
Me(c);let Z=G[J],re=Z.distr,me,Fe;Z.ori==0?(vt(R,"u-hz"),me=k,Fe=y):(vt(R,"u-vt"),me=y,Fe=k);let pe={};for(let c in G){let h=G[c];h.min==null&&h.max==null||(pe[c]=
{min:h.min,max:h.max},h.min=h.max=null)}let Ee=i.tzDate||(c=>new Date(Dt(c/ue))),it=i.fmtDate||jr,Rt=ue==1?_p(Ee):Sp(Ee),Xe=Ul(Ee,Hl(ue==1?kp:jp,it)),Lt=Jl(Ee,Bl(
"{YYYY}-{MM}-{DD} {h}:{mm}{aa}",it)),Re=[],ce=p.legend=xt({},Tp,i.legend),te=p.cursor=xt({},Dp,{drag:{y:g==2}},i.cursor),lt=ce.show,ht=te.show,mt=ce.markers,Mn,
ts,fn;ce.idxs=Re,mt.width=Ie(mt.width),mt.dash=Ie(mt.dash),mt.stroke=Ie(mt.stroke),mt.fill=Ie(mt.fill);let $t,mn=[],da=[],kn=!1,ca={};if(ce.live){let c=q[1]?q[1].
values:null;kn=c!=null,$t=kn?c(p,1,0):{_:0};for(let h in $t)ca[h]=le}if(lt)if(Mn=wt("table","u-legend",R),fn=wt("tbody",null,Mn),ce.mount(p,Mn),kn){ts=wt("thead",
null,Mn,fn);let c=wt("tr",null,ts);for(var ns in wt("th",null,c),$t)wt("th",t,c).textContent=ns}else vt(Mn,"u-inline"),ce.live&&vt(Mn,"u-live");let as={show:!0},
Zs={show:!1},ua=new Map;function tn(c,h,f,b=!0){let x=ua.get(h)||{},j=te.bind[c](p,h,f,b);j&&(Ra(c,h,x[c]=j),ua.set(h,x))}function ss(c,h){let f=ua.get(h)||{};for(let b in f)
c!=null&&b!=c||(vr(b,h,f[b]),delete f[b]);c==null&&ua.delete(h)}let Vn=0,Oa=0,je=0,K=0,Qe=0,Ft=0,Pa=Qe,Yn=Ft,za=je,En=K,_n=0,sn=0,In=0,La=0;p.bbox={};let Fr=!1,
Io=!1,os=!1,Fa=!1,Oo=!1,Cn=!1;function Nr(c,h,f){(f||c!=p.width||h!=p.height)&&Cd(c,h),us(!1),os=!0,Io=!0,$s()}function Cd(c,h){p.width=Vn=je=c,p.height=Oa=K=h,
Qe=Ft=0,(function(){let b=!1,x=!1,j=!1,M=!1;be.forEach((P=>{if(P.show&&P._show){let{side:z,_size:F}=P,H=F+(P.label!=null?P.labelSize:0);H>0&&(z%2?(je-=H,z==3?(Qe+=
H,M=!0):j=!0):(K-=H,z==0?(Ft+=H,b=!0):x=!0))}})),Wa[0]=b,Wa[1]=j,Wa[2]=x,Wa[3]=M,je-=pa[1]+pa[3],Qe+=pa[3],K-=pa[2]+pa[0],Ft+=pa[0]})(),(function(){let b=Qe+je,
x=Ft+K,j=Qe,M=Ft;function P(z,F){switch(z){case 1:return b+=F,b-F;case 2:return x+=F,x-F;case 3:return j-=F,j+F;case 0:return M-=F,M+F}}be.forEach((z=>{if(z.show&&
z._show){let F=z.side;z._pos=P(F,z._size),z.label!=null&&(z._lpos=P(F,z.labelSize))}}))})();let f=p.bbox;_n=f.left=Ma(Qe*$e,.5),sn=f.top=Ma(Ft*$e,.5),In=f.width=
Ma(je*$e,.5),La=f.height=Ma(K*$e,.5)}let Xp=3;if(p.setSize=function({width:c,height:h}){Nr(c,h)},te.dataIdx==null){let c=te.hover,h=c.skip=new Set(c.skip??[]);h.
add(void 0);let f=c.prox=Ie(c.prox),b=c.bias??=0;te.dataIdx=(x,j,M,P)=>{if(j==0)return M;let z=M,F=f(x,j,M,P)??Ye,H=F>=0&&Ye>F,se=Z.ori==0?je:K,ze=te.left,ke=u[0],
ge=u[j];if(h.has(ge[M])){z=null;let ve,N=null,he=null;if(b==0||b==-1)for(ve=M;N==null&&ve-- >0;)h.has(ge[ve])||(N=ve);if(b==0||b==1)for(ve=M;he==null&&ve++<ge.length;)
h.has(ge[ve])||(he=ve);if(N!=null||he!=null)if(H){let qe=ze-(N==null?-1/0:me(ke[N],Z,se,0)),gt=(he==null?1/0:me(ke[he],Z,se,0))-ze;qe>gt?gt>F||(z=he):qe>F||(z=N)}else
z=he==null?N:N==null||M-N>he-M?he:N}else H&&Tt(ze-me(ke[M],Z,se,0))>F&&(z=null);return z}}let Na=c=>{te.event=c};te.idxs=Re,te._lock=!1;let Gt=te.points;Gt.show=
Ie(Gt.show),Gt.size=Ie(Gt.size),Gt.stroke=Ie(Gt.stroke),Gt.width=Ie(Gt.width),Gt.fill=Ie(Gt.fill);let Nn=p.focus=xt({},i.focus||{alpha:.3},te.focus),rs=Nn.prox>=
0,is=rs&&Gt.one,jn=[],ls=[],ds=[];function jd(c,h){let f=Gt.show(p,h);if(f instanceof HTMLElement)return vt(f,"u-cursor-pt"),vt(f,c.class),Fn(f,-10,-10,je,K),B.
insertBefore(f,jn[h]),f}function Sd(c,h){if(g==1||h>0){let f=g==1&&G[c.scale].time,b=c.value;c.value=f?Dl(b)?Jl(Ee,Bl(b,it)):b||Lt:b||zp,c.label=c.label||(f?"Ti\
me":"Value")}if(is||h>0){c.width=c.width==null?1:c.width,c.paths=c.paths||Up||dp,c.fillTo=Ie(c.fillTo||Np),c.pxAlign=+Le(c.pxAlign,V),c.pxRound=dd(c.pxAlign),c.
stroke=Ie(c.stroke||null),c.fill=Ie(c.fill||null),c._stroke=c._fill=c._paths=c._focus=null;let f=(function(x){return Ze(1*(3+2*(x||1)),3)})(en(1,c.width)),b=c.points=
xt({},{size:f,width:en(1,.2*f),stroke:c.stroke,space:2*f,paths:Bp,_stroke:null,_fill:null},c.points);b.show=Ie(b.show),b.filter=Ie(b.filter),b.fill=Ie(b.fill),b.
stroke=Ie(b.stroke),b.paths=Ie(b.paths),b.pxAlign=c.pxAlign}if(lt){let f=(function(b,x){if(x==0&&(kn||!ce.live||g==2))return Ya;let j=[],M=wt("tr","u-series",fn,
fn.childNodes[x]);vt(M,b.class),b.show||vt(M,e);let P=wt("th",null,M);if(mt.show){let H=yt("u-marker",P);if(x>0){let se=mt.width(p,x);se&&(H.style.border=se+"px\
 "+mt.dash(p,x)+" "+mt.stroke(p,x)),H.style.background=mt.fill(p,x)}}let z=yt(t,P);for(var F in b.label instanceof HTMLElement?z.appendChild(b.label):z.textContent=
b.label,x>0&&(mt.show||(z.style.color=b.width>0?mt.stroke(p,x):mt.fill(p,x)),tn("click",P,(H=>{if(te._lock)return;Na(H);let se=q.indexOf(b);if((H.ctrlKey||H.metaKey)!=
ce.isolate){let ze=q.some(((ke,ge)=>ge>0&&ge!=se&&ke.show));q.forEach(((ke,ge)=>{ge>0&&Wn(ge,ze?ge==se?as:Zs:as,!0,kt.setSeries)}))}else Wn(se,{show:!b.show},!0,
kt.setSeries)}),!1),rs&&tn(T,P,(H=>{te._lock||(Na(H),Wn(q.indexOf(b),bs,!0,kt.setSeries))}),!1)),$t){let H=wt("td","u-value",M);H.textContent="--",j.push(H)}return[
M,j]})(c,h);mn.splice(h,0,f[0]),da.splice(h,0,f[1]),ce.values.push(null)}if(ht){Re.splice(h,0,null);let f=null;is?h==0&&(f=jd(c,h)):h>0&&(f=jd(c,h)),jn.splice(h,
0,f),ls.splice(h,0,0),ds.splice(h,0,0)}Pt("addSeries",h)}p.addSeries=function(c,h){h=h??q.length,c=g==1?Lr(c,h,Xl,od):Lr(c,h,{},sd),q.splice(h,0,c),Sd(q[h],h)},
p.delSeries=function(c){if(q.splice(c,1),lt){ce.values.splice(c,1),da.splice(c,1);let h=mn.splice(c,1)[0];ss(null,h.firstChild),h.remove()}ht&&(Re.splice(c,1),jn.
splice(c,1)[0].remove(),ls.splice(c,1),ds.splice(c,1)),Pt("delSeries",c)};let Wa=[!1,!1,!1,!1];function Xs(c,h,f){let[b,x,j,M]=f,P=h%2,z=0;return P==0&&(M||x)&&
(z=h==0&&!b||h==2&&!j?Dt(Zl.size/3):0),P==1&&(b||j)&&(z=h==1&&!x||h==3&&!M?Dt(td.size/2):0),z}let Td=p.padding=(i.padding||[Xs,Xs,Xs,Xs]).map((c=>Ie(Le(c,Xs)))),
pa=p._padding=Td.map(((c,h)=>c(p,h,Wa,0))),Nt,Mt=null,Et=null,Po=g==1?q[0].idxs:null,zo,cs,Wr,qr,Hr,Ur,Br,Jr,Gr,on,On=null,Qs=!1;function Dd(c,h){if(p.data=p._data=
u=c??[],g==2){Nt=0;for(let f=1;q.length>f;f++)Nt+=u[f][0].length}else{u.length==0&&(p.data=p._data=u=[[]]),On=u[0],Nt=On.length;let f=u;if(re==2){f=u.slice();let b=f[0]=
Array(Nt);for(let x=0;Nt>x;x++)b[x]=x}p._data=u=f}if(us(!0),Pt("setData"),re==2&&(os=!0),h!==!1){let f=Z;f.auto(p,Qs)?Kr():fa(J,f.min,f.max),Fa=Fa||te.left>=0,Cn=
!0,$s()}}function Kr(){let c,h;Qs=!0,g==1&&(Nt>0?(Mt=Po[0]=0,Et=Po[1]=Nt-1,c=u[0][Mt],h=u[0][Et],re==2?(c=Mt,h=Et):c==h&&(re==3?[c,h]=xo(c,c,Z.log,!1):re==4?[c,
h]=wr(c,c,Z.log,!1):Z.time?h=c+Dt(86400/ue):[c,h]=ko(c,h,yr,!0))):(Mt=Po[0]=c=null,Et=Po[1]=h=null)),fa(J,c,h)}function Rd(c,h,f,b,x,j){c??=w,f??=Cr,b??="butt",
x??=w,j??="round",c!=zo&&(_.strokeStyle=zo=c),x!=cs&&(_.fillStyle=cs=x),h!=Wr&&(_.lineWidth=Wr=h),j!=Hr&&(_.lineJoin=Hr=j),b!=Ur&&(_.lineCap=Ur=b),f!=qr&&_.setLineDash(
qr=f)}function Ad(c,h,f,b){h!=cs&&(_.fillStyle=cs=h),c!=Br&&(_.font=Br=c),f!=Jr&&(_.textAlign=Jr=f),b!=Gr&&(_.textBaseline=Gr=b)}function Vr(c,h,f,b,x=0){if(b.length>
0&&c.auto(p,Qs)&&(h==null||h.min==null)){let j=Le(Mt,0),M=Le(Et,b.length-1),P=f.min==null?(function(z,F,H,se=0,ze=!1){let ke=ze?rp:yo,ge=ze?ml:fl;[F,H]=ke(z,F,H);
let ve=z[F],N=z[F];if(F>-1)if(se==1)ve=z[F],N=z[H];else if(se==-1)ve=z[H],N=z[F];else for(let he=F;H>=he;he++){let qe=z[he];ge(qe)&&(ve>qe?ve=qe:qe>N&&(N=qe))}return[
ve??Ye,N??-Ye]})(b,j,M,x,c.distr==3):[f.min,f.max];c.min=An(c.min,f.min=P[0]),c.max=en(c.max,f.max=P[1])}}p.setData=Dd;let Md={min:null,max:null};function Ed(c,h){
let f=h?q[c].points:q[c];f._stroke=f.stroke(p,c),f._fill=f.fill(p,c)}function Id(c,h){let f=h?q[c].points:q[c],{stroke:b,fill:x,clip:j,flags:M,_stroke:P=f._stroke,
_fill:z=f._fill,_width:F=f.width}=f._paths;F=Ze(F*$e,3);let H=null,se=F%2/2;h&&z==null&&(z=F>0?"#fff":P);let ze=f.pxAlign==1&&se>0;if(ze&&_.translate(se,se),!h){
let ke=_n-F/2,ge=sn-F/2,ve=In+F,N=La+F;H=new Path2D,H.rect(ke,ge,ve,N)}h?Yr(P,F,f.dash,f.cap,z,b,x,M,j):(function(ke,ge,ve,N,he,qe,gt,st,Ue,qt,Kt){let Vt=!1;Ue!=
0&&ee.forEach(((ft,$n)=>{if(ft.series[0]==ke){let _t,ot=q[ft.series[1]],Yt=u[ft.series[1]],rn=(ot._paths||Ks).band;la(rn)&&(rn=ft.dir==1?rn[0]:rn[1]);let Sn=null;
ot.show&&rn&&(function(Xn,ga,gn){for(ga=Le(ga,0),gn=Le(gn,Xn.length-1);gn>=ga;){if(Xn[ga]!=null)return!0;ga++}return!1})(Yt,Mt,Et)?(Sn=ft.fill(p,$n)||qe,_t=ot._paths.
clip):rn=null,Yr(ge,ve,N,he,Sn,gt,st,Ue,qt,Kt,_t,rn),Vt=!0}})),Vt||Yr(ge,ve,N,he,qe,gt,st,Ue,qt,Kt)})(c,P,F,f.dash,f.cap,z,b,x,M,H,j),ze&&_.translate(-se,-se)}let Od=3;
function Yr(c,h,f,b,x,j,M,P,z,F,H,se){Rd(c,h,f,b,x),(z||F||se)&&(_.save(),z&&_.clip(z),F&&_.clip(F)),se?(P&Od)==Od?(_.clip(se),H&&_.clip(H),Fo(x,M),Lo(c,j,h)):2&
P?(Fo(x,M),_.clip(se),Lo(c,j,h)):1&P&&(_.save(),_.clip(se),H&&_.clip(H),Fo(x,M),_.restore(),Lo(c,j,h)):(Fo(x,M),Lo(c,j,h)),(z||F||se)&&_.restore()}function Lo(c,h,f){
f>0&&(h instanceof Map?h.forEach(((b,x)=>{_.strokeStyle=zo=x,_.stroke(b)})):h!=null&&c&&_.stroke(h))}function Fo(c,h){h instanceof Map?h.forEach(((f,b)=>{_.fillStyle=
cs=b,_.fill(f)})):h!=null&&c&&_.fill(h)}function Zr(c,h,f,b,x,j,M,P,z,F){let H=M%2/2;V==1&&_.translate(H,H),Rd(P,M,z,F,P),_.beginPath();let se,ze,ke,ge,ve=x+(b==
0||b==3?-j:j);f==0?(ze=x,ge=ve):(se=x,ke=ve);for(let N=0;c.length>N;N++)h[N]!=null&&(f==0?se=ke=c[N]:ze=ge=c[N],_.moveTo(se,ze),_.lineTo(ke,ge));_.stroke(),V==1&&
_.translate(-H,-H)}function Qp(c){let h=!0;return be.forEach(((f,b)=>{if(!f.show)return;let x=G[f.scale];if(x.min==null)return void(f._show&&(h=!1,f._show=!1,us(
!1)));f._show||(h=!1,f._show=!0,us(!1));let j=f.side,M=j%2,{min:P,max:z}=x,[F,H]=(function(N,he,qe,gt){let st,Ue=be[N];if(gt>0){let qt=Ue._space=Ue.space(p,N,he,
qe,gt);st=Yp(he,qe,Ue._incrs=Ue.incrs(p,N,he,qe,gt,qt),gt,qt)}else st=[0,0];return Ue._found=st})(b,P,z,M==0?je:K);if(H==0)return;let se=f._splits=f.splits(p,b,
P,z,F,H,x.distr==2),ze=x.distr==2?se.map((N=>On[N])):se,ke=x.distr==2?On[se[1]]-On[se[0]]:F,ge=f._values=f.values(p,f.filter(p,ze,b,H,ke),b,H,ke);f._rotate=j==2?
f.rotate(p,ge,b,H):0;let ve=f._size;f._size=xn(f.size(p,ge,b,c)),ve!=null&&f._size!=ve&&(h=!1)})),h}function eh(c){let h=!0;return Td.forEach(((f,b)=>{let x=f(p,
b,Wa,c);x!=pa[b]&&(h=!1),pa[b]=x})),h}function us(c){q.forEach(((h,f)=>{f>0&&(h._paths=null,c&&(g==1?(h.min=null,h.max=null):h.facets.forEach((b=>{b.min=null,b.
max=null}))))}))}let Xr,Qr,ps,hs,Pd,zd,fs,ms,Ld,Fd,nt,dt,No=!1,ei=!1,eo=[];function th(){ei=!1;for(let c=0;eo.length>c;c++)Pt(...eo[c]);eo.length=0}function $s(){
No||(fp(Nd),No=!0)}function Nd(){if(Fr&&((function(){for(let b in G){let x=G[b];pe[b]==null&&(x.min==null||pe[J]!=null&&x.auto(p,Qs))&&(pe[b]=Md)}for(let b in G){
let x=G[b];pe[b]==null&&x.from!=null&&pe[x.from]!=null&&(pe[b]=Md)}pe[J]!=null&&us(!0);let c={};for(let b in pe){let x=pe[b];if(x!=null){let j=c[b]=Za(G[b],up);
if(x.min!=null)xt(j,x);else if(b!=J||g==2)if(Nt==0&&j.from==null){let M=j.range(p,null,null,b);j.min=M[0],j.max=M[1]}else j.min=Ye,j.max=-Ye}}if(Nt>0){q.forEach(
((b,x)=>{if(g==1){let j=b.scale,M=pe[j];if(M==null)return;let P=c[j];if(x==0){let z=P.range(p,P.min,P.max,j);P.min=z[0],P.max=z[1],Mt=Rn(P.min,u[0]),Et=Rn(P.max,
u[0]),Et-Mt>1&&(P.min>u[0][Mt]&&Mt++,u[0][Et]>P.max&&Et--),b.min=On[Mt],b.max=On[Et]}else b.show&&b.auto&&Vr(P,M,b,u[x],b.sorted);b.idxs[0]=Mt,b.idxs[1]=Et}else if(x>
0&&b.show&&b.auto){let[j,M]=b.facets,P=j.scale,z=M.scale,[F,H]=u[x],se=c[P],ze=c[z];se!=null&&Vr(se,pe[P],j,F,j.sorted),ze!=null&&Vr(ze,pe[z],M,H,M.sorted),b.min=
M.min,b.max=M.max}}));for(let b in c){let x=c[b],j=pe[b];if(x.from==null&&(j==null||j.min==null)){let M=x.range(p,x.min==Ye?null:x.min,x.max==-Ye?null:x.max,b);
x.min=M[0],x.max=M[1]}}}for(let b in c){let x=c[b];if(x.from!=null){let j=c[x.from];if(j.min==null)x.min=x.max=null;else{let M=x.range(p,j.min,j.max,b);x.min=M[0],
x.max=M[1]}}}let h={},f=!1;for(let b in c){let x=c[b],j=G[b];if(j.min!=x.min||j.max!=x.max){j.min=x.min,j.max=x.max;let M=j.distr;j._min=M==3?Gn(j.min):M==4?kr(
j.min,j.asinh):M==100?j.fwd(j.min):j.min,j._max=M==3?Gn(j.max):M==4?kr(j.max,j.asinh):M==100?j.fwd(j.max):j.max,h[b]=f=!0}}if(f){q.forEach(((b,x)=>{g==2?x>0&&h.
y&&(b._paths=null):h[b.scale]&&(b._paths=null)}));for(let b in h)os=!0,Pt("setScale",b);ht&&te.left>=0&&(Fa=Cn=!0)}for(let b in pe)pe[b]=null})(),Fr=!1),os&&((function(){
let c=!1,h=0;for(;!c;){h++;let f=Qp(h),b=eh(h);c=h==Xp||f&&b,c||(Cd(p.width,p.height),Io=!0)}})(),os=!1),Io){if(ae(Y,l,Qe),ae(Y,"top",Ft),ae(Y,n,je),ae(Y,s,K),ae(
B,l,Qe),ae(B,"top",Ft),ae(B,n,je),ae(B,s,K),ae(W,n,Vn),ae(W,s,Oa),I.width=Dt(Vn*$e),I.height=Dt(Oa*$e),be.forEach((({_el:c,_show:h,_size:f,_pos:b,side:x})=>{if(c!=
null)if(h){let j=x%2==1;ae(c,j?"left":"top",b-(x===3||x===0?f:0)),ae(c,j?"width":"height",f),ae(c,j?"top":"left",j?Ft:Qe),ae(c,j?"height":"width",j?K:je),Bt(c,e)}else
vt(c,e)})),zo=cs=Wr=Hr=Ur=Br=Jr=Gr=qr=null,on=1,ao(!0),Qe!=Pa||Ft!=Yn||je!=za||K!=En){us(!1);let c=je/za,h=K/En;if(ht&&!Fa&&te.left>=0){te.left*=c,te.top*=h,ps&&
Fn(ps,Dt(te.left),0,je,K),hs&&Fn(hs,0,Dt(te.top),je,K);for(let f=0;jn.length>f;f++){let b=jn[f];b!=null&&(ls[f]*=c,ds[f]*=h,Fn(b,xn(ls[f]),xn(ds[f]),je,K))}}if(at.
show&&!Oo&&at.left>=0&&at.width>0){at.left*=c,at.width*=c,at.top*=h,at.height*=h;for(let f in si)ae(gs,f,at[f])}Pa=Qe,Yn=Ft,za=je,En=K}Pt("setSize"),Io=!1}Vn>0&&
Oa>0&&(_.clearRect(0,0,I.width,I.height),Pt("drawClear"),Ce.forEach((c=>c())),Pt("draw")),at.show&&Oo&&(Wo(at),Oo=!1),ht&&Fa&&(Ha(null,!0,!1),Fa=!1),ce.show&&ce.
live&&Cn&&(ni(),Cn=!1),A||(A=!0,p.status=1,Pt("ready")),Qs=!1,No=!1}function ti(c,h){let f=G[c];if(f.from==null){if(Nt==0){let b=f.range(p,h.min,h.max,c);h.min=
b[0],h.max=b[1]}if(h.min>h.max){let b=h.min;h.min=h.max,h.max=b}if(Nt>1&&h.min!=null&&h.max!=null&&1e-16>h.max-h.min)return;c==J&&f.distr==2&&Nt>0&&(h.min=Rn(h.
min,u[0]),h.max=Rn(h.max,u[0]),h.min==h.max&&h.max++),pe[c]=h,Fr=!0,$s()}}p.batch=function(c,h=!1){No=!0,ei=h,c(p),Nd(),h&&eo.length>0&&queueMicrotask(th)},p.redraw=
(c,h)=>{os=h||!1,c!==!1?fa(J,Z.min,Z.max):$s()},p.setScale=ti;let ha=!1,Wt=te.drag,It=Wt.x,Ot=Wt.y;ht&&(te.x&&(Xr=yt("u-cursor-x",B)),te.y&&(Qr=yt("u-cursor-y",
B)),Z.ori==0?(ps=Xr,hs=Qr):(ps=Qr,hs=Xr),nt=te.left,dt=te.top);let at=p.select=xt({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),gs=at.show?yt("u-sel\
ect",at.over?B:Y):null;function Wo(c,h){if(at.show){for(let f in c)at[f]=c[f],f in si&&ae(gs,f,c[f]);h!==!1&&Pt("setSelect")}}function fa(c,h,f){ti(c,{min:h,max:f})}
function Wn(c,h,f,b){h.focus!=null&&(function(x){if(x!=qa){let j=x==null,M=Nn.alpha!=1;q.forEach(((P,z)=>{if(g==1||z>0){let F=j||z==0||z==x;P._focus=j?null:F,M&&
(function(H,se){q[H].alpha=se,ht&&jn[H]!=null&&(jn[H].style.opacity=se),lt&&mn[H]&&(mn[H].style.opacity=se)})(z,F?1:Nn.alpha)}})),qa=x,M&&$s()}})(c),h.show!=null&&
q.forEach(((x,j)=>{0>=j||c!=j&&c!=null||(x.show=h.show,(function(M){if(q[M].show)lt&&Bt(mn[M],e);else if(lt&&vt(mn[M],e),ht){let P=is?jn[0]:jn[M];P!=null&&Fn(P,
-10,-10,je,K)}})(j),g==2?(fa(x.facets[0].scale,null,null),fa(x.facets[1].scale,null,null)):fa(x.scale,null,null),$s())})),f!==!1&&Pt("setSeries",c,h),b&&so("set\
Series",p,c,h)}let Zn,ma,qa;p.setSelect=Wo,p.setSeries=Wn,p.addBand=function(c,h){c.fill=Ie(c.fill||null),c.dir=Le(c.dir,-1),ee.splice(h=h??ee.length,0,c)},p.setBand=
function(c,h){xt(ee[c],h)},p.delBand=function(c){c==null?ee.length=0:ee.splice(c,1)};let bs={focus:!0};function qn(c,h,f){let b=G[h];f&&(c=c/$e-(b.ori==1?Ft:Qe));
let x=je;b.ori==1&&(x=K,c=x-c),b.dir==-1&&(c=x-c);let j=b._min,M=j+c/x*(b._max-j),P=b.distr;return P==3?Va(10,M):P==4?((z,F=1)=>pn.sinh(z)*F)(M,b.asinh):P==100?
b.bwd(M):M}function Wd(c,h){ae(gs,l,at.left=c),ae(gs,n,at.width=h)}function qd(c,h){ae(gs,"top",at.top=c),ae(gs,s,at.height=h)}lt&&rs&&tn(U,Mn,(c=>{te._lock||(Na(
c),qa!=null&&Wn(null,bs,!0,kt.setSeries))})),p.valToIdx=c=>Rn(c,u[0]),p.posToIdx=function(c,h){return Rn(qn(c,J,h),u[0],Mt,Et)},p.posToVal=qn,p.valToPos=(c,h,f)=>G[h].
ori==0?k(c,G[h],f?In:je,f?_n:0):y(c,G[h],f?La:K,f?sn:0),p.setCursor=(c,h,f)=>{nt=c.left,dt=c.top,Ha(null,h,f)};let to=Z.ori==0?Wd:qd,no=Z.ori==1?Wd:qd;function ni(c,h){
if(c!=null&&(c.idxs?c.idxs.forEach(((f,b)=>{Re[b]=f})):(f=>f===void 0)(c.idx)||Re.fill(c.idx),ce.idx=Re[0]),lt&&ce.live){for(let f=0;q.length>f;f++)(f>0||g==1&&
!kn)&&nh(f,Re[f]);(function(){if(lt&&ce.live)for(let f=g==2?1:0;q.length>f;f++){if(f==0&&kn)continue;let b=ce.values[f],x=0;for(let j in b)da[f][x++].firstChild.
nodeValue=b[j]}})()}Cn=!1,h!==!1&&Pt("setLegend")}function nh(c,h){let f,b=q[c],x=c==0&&re==2?On:u[c];kn?f=b.values(p,c,h)??ca:(f=b.value(p,h==null?null:x[h],c,
h),f=f==null?ca:{_:f}),ce.values[c]=f}function Ha(c,h,f){let b;Ld=nt,Fd=dt,[nt,dt]=te.move(p,nt,dt),te.left=nt,te.top=dt,ht&&(ps&&Fn(ps,Dt(nt),0,je,K),hs&&Fn(hs,
0,Dt(dt),je,K)),Zn=Ye,ma=null;let x=Z.ori==0?je:K,j=Z.ori==1?je:K;if(0>nt||Nt==0||Mt>Et){b=te.idx=null;for(let M=0;q.length>M;M++){let P=jn[M];P!=null&&Fn(P,-10,
-10,je,K)}rs&&Wn(null,bs,!0,c==null&&kt.setSeries),ce.live&&(Re.fill(b),Cn=!0)}else{let M,P,z;g==1&&(M=Z.ori==0?nt:dt,P=qn(M,J),b=te.idx=Rn(P,u[0],Mt,Et),z=me(u[0][b],
Z,x,0));let F=-10,H=-10,se=0,ze=0,ke=!0,ge="",ve="";for(let N=g==2?1:0;q.length>N;N++){let he=q[N],qe=Re[N],gt=qe==null?null:g==1?u[N][qe]:u[N][1][qe],st=te.dataIdx(
p,N,b,P),Ue=st==null?null:g==1?u[N][st]:u[N][1][st];if(Cn=Cn||Ue!=gt||st!=qe,Re[N]=st,N>0&&he.show){let qt=st==null?-10:st==b?z:me(g==1?u[0][st]:u[N][0][st],Z,x,
0),Kt=Ue==null?-10:Fe(Ue,g==1?G[he.scale]:G[he.facets[1].scale],j,0);if(rs&&Ue!=null){let Vt=Z.ori==1?nt:dt,ft=Tt(Nn.dist(p,N,st,Kt,Vt));if(Zn>ft){let $n=Nn.bias;
if($n!=0){let _t=qn(Vt,he.scale),ot=0>_t?-1:1;ot!=(0>Ue?-1:1)||(ot==1?$n==1?_t>Ue:Ue>_t:$n==1?Ue>_t:_t>Ue)||(Zn=ft,ma=N)}else Zn=ft,ma=N}}if(Cn||is){let Vt,ft;Z.
ori==0?(Vt=qt,ft=Kt):(Vt=Kt,ft=qt);let $n,_t,ot,Yt,rn,Sn,Xn=!0,ga=Gt.bbox;if(ga!=null){Xn=!1;let gn=ga(p,N);ot=gn.left,Yt=gn.top,$n=gn.width,_t=gn.height}else ot=
Vt,Yt=ft,$n=_t=Gt.size(p,N);if(Sn=Gt.fill(p,N),rn=Gt.stroke(p,N),is)N!=ma||Zn>Nn.prox||(F=ot,H=Yt,se=$n,ze=_t,ke=Xn,ge=Sn,ve=rn);else{let gn=jn[N];gn!=null&&(ls[N]=
ot,ds[N]=Yt,pl(gn,$n,_t,Xn),cl(gn,Sn,rn),Fn(gn,xn(ot),xn(Yt),je,K))}}}}if(is){let N=Nn.prox;if(Cn||(qa==null?N>=Zn:Zn>N||ma!=qa)){let he=jn[0];he!=null&&(ls[0]=
F,ds[0]=H,pl(he,se,ze,ke),cl(he,ge,ve),Fn(he,xn(F),xn(H),je,K))}}}if(at.show&&ha)if(c!=null){let[M,P]=kt.scales,[z,F]=kt.match,[H,se]=c.cursor.sync.scales,ze=c.
cursor.drag;if(It=ze._x,Ot=ze._y,It||Ot){let ke,ge,ve,N,he,{left:qe,top:gt,width:st,height:Ue}=c.select,qt=c.scales[H].ori,Kt=c.posToVal,Vt=M!=null&&z(M,H),ft=P!=
null&&F(P,se);Vt&&It?(qt==0?(ke=qe,ge=st):(ke=gt,ge=Ue),ve=G[M],N=me(Kt(ke,H),ve,x,0),he=me(Kt(ke+ge,H),ve,x,0),to(An(N,he),Tt(he-N))):to(0,x),ft&&Ot?(qt==1?(ke=
qe,ge=st):(ke=gt,ge=Ue),ve=G[P],N=Fe(Kt(ke,se),ve,j,0),he=Fe(Kt(ke+ge,se),ve,j,0),no(An(N,he),Tt(he-N))):no(0,j)}else oi()}else{let M=Tt(Ld-Pd),P=Tt(Fd-zd);if(Z.
ori==1){let se=M;M=P,P=se}It=Wt.x&&M>=Wt.dist,Ot=Wt.y&&P>=Wt.dist;let z,F,H=Wt.uni;H!=null?It&&Ot&&(It=M>=H,Ot=P>=H,It||Ot||(P>M?Ot=!0:It=!0)):Wt.x&&Wt.y&&(It||
Ot)&&(It=Ot=!0),It&&(Z.ori==0?(z=fs,F=nt):(z=ms,F=dt),to(An(z,F),Tt(F-z)),Ot||no(0,j)),Ot&&(Z.ori==1?(z=fs,F=nt):(z=ms,F=dt),no(An(z,F),Tt(F-z)),It||to(0,x)),It||
Ot||(to(0,0),no(0,0))}if(Wt._x=It,Wt._y=Ot,c==null){if(f){if(Qd!=null){let[M,P]=kt.scales;kt.values[0]=M!=null?qn(Z.ori==0?nt:dt,M):null,kt.values[1]=P!=null?qn(
Z.ori==1?nt:dt,P):null}so(S,p,nt,dt,je,K,b)}if(rs){let M=f&&kt.setSeries,P=Nn.prox;qa==null?Zn>P||Wn(ma,bs,!0,M):Zn>P?Wn(null,bs,!0,M):ma!=qa&&Wn(ma,bs,!0,M)}}Cn&&
(ce.idx=b,ni()),h!==!1&&Pt("setCursor")}p.setLegend=ni;let $a=null;function ao(c=!1){c?$a=null:($a=B.getBoundingClientRect(),Pt("syncRect",$a))}function Hd(c,h,f,b,x,j){
te._lock||ha&&c!=null&&c.movementX==0&&c.movementY==0||(ai(c,h,f,b,x,j,0,!1,c!=null),c!=null?Ha(null,!0,!0):Ha(h,!0,!1))}function ai(c,h,f,b,x,j,M,P,z){if($a==null&&
ao(!1),Na(c),c!=null)f=c.clientX-$a.left,b=c.clientY-$a.top;else{if(0>f||0>b)return nt=-10,void(dt=-10);let[F,H]=kt.scales,se=h.cursor.sync,[ze,ke]=se.values,[ge,
ve]=se.scales,[N,he]=kt.match,qe=h.axes[0].side%2==1,gt=Z.ori==0?je:K,st=Z.ori==1?je:K,Ue=qe?j:x,qt=qe?x:j,Kt=qe?b:f,Vt=qe?f:b;if(f=ge!=null?N(F,ge)?D(ze,G[F],gt,
0):-10:gt*(Kt/Ue),b=ve!=null?he(H,ve)?D(ke,G[H],st,0):-10:st*(Vt/qt),Z.ori==1){let ft=f;f=b,b=ft}}!z||h!=null&&h.cursor.event.type!=S||(f>1&&je-1>f||(f=Ma(f,je)),
b>1&&K-1>b||(b=Ma(b,K))),P?(Pd=f,zd=b,[fs,ms]=te.move(p,f,b)):(nt=f,dt=b)}Object.defineProperty(p,"rect",{get:()=>($a==null&&ao(!1),$a)});let si={width:0,height:0,
left:0,top:0};function oi(){Wo(si,!1)}let Ud,Bd,Jd,Gd;function Kd(c,h,f,b,x,j){ha=!0,It=Ot=Wt._x=Wt._y=!1,ai(c,h,f,b,x,j,0,!0,!1),c!=null&&(tn(v,an,Vd,!1),so(E,
p,fs,ms,je,K,null));let{left:M,top:P,width:z,height:F}=at;Ud=M,Bd=P,Jd=z,Gd=F}function Vd(c,h,f,b,x,j){ha=Wt._x=Wt._y=!1,ai(c,h,f,b,x,j,0,!1,!0);let{left:M,top:P,
width:z,height:F}=at,H=z>0||F>0,se=Ud!=M||Bd!=P||Jd!=z||Gd!=F;if(H&&se&&Wo(at),Wt.setScale&&H&&se){let ze=M,ke=z,ge=P,ve=F;if(Z.ori==1&&(ze=P,ke=F,ge=M,ve=z),It&&
fa(J,qn(ze,J),qn(ze+ke,J)),Ot)for(let N in G){let he=G[N];N!=J&&he.from==null&&he.min!=Ye&&fa(N,qn(ge+ve,N),qn(ge,N))}oi()}else te.lock&&(te._lock=!te._lock,Ha(
h,!0,c!=null));c!=null&&(ss(v,an),so(v,p,nt,dt,je,K,null))}function Yd(c){te._lock||(Na(c),Kr(),oi(),c!=null&&so(ne,p,nt,dt,je,K,null))}function Zd(){be.forEach(
Zp),Nr(p.width,p.height,!0)}Ra(ye,pt,Zd);let vs={};vs.mousedown=Kd,vs.mousemove=Hd,vs.mouseup=Vd,vs.dblclick=Yd,vs.setSeries=(c,h,f,b)=>{(f=(0,kt.match[2])(p,h,
f))!=-1&&Wn(f,b,!0,!1)},ht&&(tn(E,B,Kd),tn(S,B,Hd),tn(T,B,(c=>{Na(c),ao(!1)})),tn(U,B,(function(c){if(te._lock)return;Na(c);let h=ha;if(ha){let f,b,x=!0,j=!0,M=10;
Z.ori==0?(f=It,b=Ot):(f=Ot,b=It),f&&b&&(x=M>=nt||nt>=je-M,j=M>=dt||dt>=K-M),f&&x&&(nt=fs>nt?0:je),b&&j&&(dt=ms>dt?0:K),Ha(null,!0,!0),ha=!1}nt=-10,dt=-10,Re.fill(
null),Ha(null,!0,!0),h&&(ha=h)})),tn(ne,B,Yd),zr.add(p),p.syncRect=ao);let qo=p.hooks=i.hooks||{};function Pt(c,h,f){ei?eo.push([c,h,f]):c in qo&&qo[c].forEach(
(b=>{b.call(null,p,h,f)}))}(i.plugins||[]).forEach((c=>{for(let h in c.hooks)qo[h]=(qo[h]||[]).concat(c.hooks[h])}));let Xd=(c,h,f)=>f,kt=xt({key:null,setSeries:!1,
filters:{pub:_l,sub:_l},scales:[J,q[1]?q[1].scale:null],match:[Cl,Cl,Xd],values:[null,null]},te.sync);kt.match.length==2&&kt.match.push(Xd),te.sync=kt;let Qd=kt.
key,ri=ld(Qd);function so(c,h,f,b,x,j,M){kt.filters.pub(c,h,f,b,x,j,M)&&ri.pub(c,h,f,b,x,j,M)}function ii(){Pt("init",i,u),Dd(u||i.data,!1),pe[J]?ti(J,pe[J]):Kr(),
Oo=at.show&&(at.width>0||at.height>0),Fa=Cn=!0,Nr(i.width,i.height)}return ri.sub(p),p.pub=function(c,h,f,b,x,j,M){kt.filters.sub(c,h,f,b,x,j,M)&&vs[c](null,h,f,
b,x,j,M)},p.destroy=function(){ri.unsub(p),zr.delete(p),ua.clear(),vr(ye,pt,Zd),R.remove(),Mn?.remove(),Pt("destroy")},q.forEach(Sd),be.forEach((function(c,h){if(c.
_show=c.show,c.show){let f=G[c.scale];f==null&&(c.scale=c.side%2?q[1].scale:J,f=G[c.scale]);let b=f.time;c.size=Ie(c.size),c.space=Ie(c.space),c.rotate=Ie(c.rotate),
la(c.incrs)&&c.incrs.forEach((j=>{!ia.has(j)&&ia.set(j,Sl(j))})),c.incrs=Ie(c.incrs||(f.distr==2?yp:b?ue==1?xp:Cp:Ea)),c.splits=Ie(c.splits||(b&&f.distr==1?Rt:f.
distr==3?Mr:f.distr==4?Mp:Ap)),c.stroke=Ie(c.stroke),c.grid.stroke=Ie(c.grid.stroke),c.ticks.stroke=Ie(c.ticks.stroke),c.border.stroke=Ie(c.border.stroke);let x=c.
values;c.values=la(x)&&!la(x[0])?Ie(x):b?la(x)?Ul(Ee,Hl(x,it)):Dl(x)?(function(j,M){let P=jr(M);return(z,F)=>F.map((H=>P(j(H))))})(Ee,x):x||Xe:x||Rp,c.filter=Ie(
c.filter||(3>f.distr||f.log!=10?f.distr==3&&f.log==2?Pp:kl:Op)),c.font=_d(c.font),c.labelFont=_d(c.labelFont),c._size=c.size(p,null,h,0),c._space=c._rotate=c._incrs=
c._found=c._splits=c._values=null,c._size>0&&(Wa[h]=!0,c._el=yt("u-axis",W))}})),$?$ instanceof HTMLElement?($.appendChild(R),ii()):$(p,ii):ii(),p}Jt.assign=xt,
Jt.fmtNum=xr,Jt.rangeNum=ko,Jt.rangeLog=xo,Jt.rangeAsinh=wr,Jt.orient=Ia,Jt.pxRatio=$e,Jt.join=function(i,u){if((function(y){let D=y[0][0],A=D.length;for(let R=1;y.
length>R;R++){let I=y[R][0];if(I.length!=A)return!1;if(I!=D){for(let _=0;A>_;_++)if(I[_]!=D[_])return!1}}return!0})(i)){let y=i[0].slice();for(let D=1;i.length>
D;D++)y.push(...i[D].slice(1));return(function(D,A=100){let R=D.length;if(1>=R)return!0;let I=0,_=R-1;for(;_>=I&&D[I]==null;)I++;for(;_>=I&&D[_]==null;)_--;if(I>=
_)return!0;let W=en(1,hn((_-I+1)/A));for(let Y=D[I],B=I+W;_>=B;B+=W){let V=D[B];if(V!=null){if(Y>=V)return!1;Y=V}}return!0})(y[0])||(y=(function(D){let A=D[0],R=A.
length,I=Array(R);for(let W=0;I.length>W;W++)I[W]=W;I.sort(((W,Y)=>A[W]-A[Y]));let _=[];for(let W=0;D.length>W;W++){let Y=D[W],B=Array(R);for(let V=0;R>V;V++)B[V]=
Y[I[V]];_.push(B)}return _})(y)),y}let $=new Set;for(let y=0;i.length>y;y++){let D=i[y][0],A=D.length;for(let R=0;A>R;R++)$.add(D[R])}let p=[Array.from($).sort(
((y,D)=>y-D))],g=p[0].length,k=new Map;for(let y=0;g>y;y++)k.set(p[0][y],y);for(let y=0;i.length>y;y++){let D=i[y],A=D[0];for(let R=1;D.length>R;R++){let I=D[R],
_=Array(g).fill(void 0),W=u?u[y][R]:1,Y=[];for(let B=0;I.length>B;B++){let V=I[B],xe=k.get(A[B]);V===null?W!=0&&(_[xe]=V,W==2&&Y.push(xe)):_[xe]=V}hp(_,Y,g),p.push(
_)}}return p},Jt.fmtDate=jr,Jt.tzDate=function(i,u){let $;return u=="UTC"||u=="Etc/UTC"?$=new Date(+i+6e4*i.getTimezoneOffset()):u==vp?$=i:($=new Date(i.toLocaleString(
"en-US",{timeZone:u})),$.setMilliseconds(i.getMilliseconds())),$},Jt.sync=ld;{Jt.addGap=function(u,$,p){let g=u[u.length-1];g&&g[0]==$?g[1]=p:u.push([$,p])},Jt.
clipGaps=Ro;let i=Jt.paths={points:md};i.linear=gd,i.stepped=function(u){let $=Le(u.align,1),p=Le(u.ascDesc,!1),g=Le(u.alignGaps,0),k=Le(u.extend,!1);return(y,D,A,R)=>Ia(
y,D,((I,_,W,Y,B,V,xe,ue,q,be,G)=>{[A,R]=yo(W,A,R);let ee=I.pxRound,{left:J,width:_e}=y.bbox,Ce=Re=>ee(V(Re,Y,be,ue)),De=Re=>ee(xe(Re,B,G,q)),Me=Y.ori==0?Qa:es,Z={
stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},re=Z.stroke,me=Y.dir*(Y.ori==0?1:-1),Fe=De(W[me==1?A:R]),pe=Ce(_[me==1?A:R]),Ee=pe,it=pe;k&&$==
-1&&(it=J,Me(re,it,Fe)),Me(re,pe,Fe);for(let Re=me==1?A:R;Re>=A&&R>=Re;Re+=me){let ce=W[Re];if(ce==null)continue;let te=Ce(_[Re]),lt=De(ce);$==1?Me(re,te,Fe):Me(
re,Ee,lt),Me(re,te,lt),Fe=lt,Ee=te}let Rt=Ee;k&&$==1&&(Rt=J+_e,Me(re,Rt,Fe));let[Xe,Lt]=Ir(y,D);if(I.fill!=null||Xe!=0){let Re=Z.fill=new Path2D(re),ce=De(I.fillTo(
y,D,I.min,I.max,Xe));Me(Re,Rt,ce),Me(Re,it,ce)}if(!I.spanGaps){let Re=[];Re.push(...Or(_,W,A,R,me,Ce,g));let ce=I.width*$e/2,te=p||$==1?ce:-ce,lt=p||$==-1?-ce:ce;
Re.forEach((ht=>{ht[0]+=te,ht[1]+=lt})),Z.gaps=Re=I.gaps(y,D,A,R,Re),Z.clip=Ro(Re,Y.ori,ue,q,be,G)}return Lt!=0&&(Z.band=Lt==2?[Kn(y,D,A,R,re,-1),Kn(y,D,A,R,re,
1)]:Kn(y,D,A,R,re,Lt)),Z}))},i.bars=function(u){let $=Le((u=u||Ks).size,[.6,Ye,1]),p=u.align||0,g=u.gap||0,k=u.radius;k=k==null?[0,0]:typeof k=="number"?[k,0]:k;
let y=Ie(k),D=1-$[0],A=Le($[1],Ye),R=Le($[2],1),I=Le(u.disp,Ks),_=Le(u.each,(()=>{})),{fill:W,stroke:Y}=I;return(B,V,xe,ue)=>Ia(B,V,((q,be,G,ee,J,_e,Ce,De,Me,Z,re)=>{
let me,Fe,pe=q.pxRound,Ee=p,it=g*$e,Rt=A*$e,Xe=R*$e;ee.ori==0?[me,Fe]=y(B,V):[Fe,me]=y(B,V);let Lt=ee.dir*(ee.ori==0?1:-1),Re,ce,te,lt=ee.ori==0?Eo:Pr,ht=ee.ori==
0?_:(K,Qe,Ft,Pa,Yn,za,En)=>{_(K,Qe,Ft,Yn,Pa,En,za)},mt=Le(B.bands,Cr).find((K=>K.series[0]==V)),Mn=q.fillTo(B,V,q.min,q.max,mt!=null?mt.dir:0),ts=pe(Ce(Mn,J,re,
Me)),fn=Z,$t=pe(q.width*$e),mn=!1,da=null,kn=null,ca=null,ns=null;W==null||$t!=0&&Y==null||(mn=!0,da=W.values(B,V,xe,ue),kn=new Map,new Set(da).forEach((K=>{K!=
null&&kn.set(K,new Path2D)})),$t>0&&(ca=Y.values(B,V,xe,ue),ns=new Map,new Set(ca).forEach((K=>{K!=null&&ns.set(K,new Path2D)}))));let{x0:as,size:Zs}=I;if(as!=null&&
Zs!=null){Ee=1,be=as.values(B,V,xe,ue),as.unit==2&&(be=be.map((Qe=>B.posToVal(De+Qe*Z,ee.key,!0))));let K=Zs.values(B,V,xe,ue);ce=Zs.unit==2?K[0]*Z:_e(K[0],ee,Z,
De)-_e(0,ee,Z,De),fn=bd(be,G,_e,ee,Z,De,fn),te=fn-ce+it}else fn=bd(be,G,_e,ee,Z,De,fn),te=fn*D+it,ce=fn-te;1>te&&(te=0),ce/2>$t||($t=0),5>te&&(pe=xl);let ua=te>
0;ce=pe(_r(fn-te-(ua?$t:0),Xe,Rt)),Re=(Ee==0?ce/2:Ee==Lt?0:ce)-Ee*Lt*((Ee==0?it/2:0)+(ua?$t/2:0));let tn={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},
ss=mn?null:new Path2D,Vn=null;if(mt!=null)Vn=B.data[mt.series[1]];else{let{y0:K,y1:Qe}=I;K!=null&&Qe!=null&&(G=Qe.values(B,V,xe,ue),Vn=K.values(B,V,xe,ue))}let Oa=me*
ce,je=Fe*ce;for(let K=Lt==1?xe:ue;K>=xe&&ue>=K;K+=Lt){let Qe=G[K];if(Qe==null)continue;if(Vn!=null){let sn=Vn[K]??0;if(Qe-sn==0)continue;ts=Ce(sn,J,re,Me)}let Ft=_e(
ee.distr!=2||I!=null?be[K]:K,ee,Z,De),Pa=Ce(Le(Qe,Mn),J,re,Me),Yn=pe(Ft-Re),za=pe(en(Pa,ts)),En=pe(An(Pa,ts)),_n=za-En;if(Qe!=null){let sn=0>Qe?je:Oa,In=0>Qe?Oa:
je;mn?($t>0&&ca[K]!=null&&lt(ns.get(ca[K]),Yn,En+hn($t/2),ce,en(0,_n-$t),sn,In),da[K]!=null&&lt(kn.get(da[K]),Yn,En+hn($t/2),ce,en(0,_n-$t),sn,In)):lt(ss,Yn,En+
hn($t/2),ce,en(0,_n-$t),sn,In),ht(B,V,K,Yn-$t/2,En,ce+$t,_n)}}return $t>0?tn.stroke=mn?ns:ss:mn||(tn._fill=q.width==0?q._fill:q._stroke??q._fill,tn.width=0),tn.
fill=mn?kn:ss,tn}))},i.spline=function(u){return(function($,p){let g=Le(p?.alignGaps,0);return(k,y,D,A)=>Ia(k,y,((R,I,_,W,Y,B,V,xe,ue,q,be)=>{[D,A]=yo(_,D,A);let G,
ee,J,_e=R.pxRound,Ce=Xe=>_e(B(Xe,W,q,xe)),De=Xe=>_e(V(Xe,Y,be,ue));W.ori==0?(G=Ao,J=Qa,ee=hd):(G=Mo,J=es,ee=fd);let Me=W.dir*(W.ori==0?1:-1),Z=Ce(I[Me==1?D:A]),
re=Z,me=[],Fe=[];for(let Xe=Me==1?D:A;Xe>=D&&A>=Xe;Xe+=Me)if(_[Xe]!=null){let Lt=Ce(I[Xe]);me.push(re=Lt),Fe.push(De(_[Xe]))}let pe={stroke:$(me,Fe,G,J,ee,_e),fill:null,
clip:null,band:null,gaps:null,flags:1},Ee=pe.stroke,[it,Rt]=Ir(k,y);if(R.fill!=null||it!=0){let Xe=pe.fill=new Path2D(Ee),Lt=De(R.fillTo(k,y,R.min,R.max,it));J(
Xe,re,Lt),J(Xe,Z,Lt)}if(!R.spanGaps){let Xe=[];Xe.push(...Or(I,_,D,A,Me,Ce,g)),pe.gaps=Xe=R.gaps(k,y,D,A,Xe),pe.clip=Ro(Xe,W.ori,xe,ue,q,be)}return Rt!=0&&(pe.band=
Rt==2?[Kn(k,y,D,A,Ee,-1),Kn(k,y,D,A,Ee,1)]:Kn(k,y,D,A,Ee,Rt)),pe}))})(Hp,u)}}return Jt})(),lr=Nh;function Is(e,t){t.style.color=`var(${e})`;let n=getComputedStyle(t).color;return t.style.color="",n}var Pi="11px system-ui, sans-serif",su=(e,t,n=52)=>({stroke:Is(
"--ink-faint",e),font:Pi,size:n,values:t,grid:{stroke:Is("--line",e),width:1},ticks:{show:!1}}),Wh=Array.from({length:16},(e,t)=>[1,2,5].map(n=>n*10**t)).flat();
function qh(e,t,n){let{ctx:s}=e,{left:o,top:r,width:l,height:d}=e.bbox,m=w=>Math.min(Math.max(w,o),o+l);s.save();for(let w of t){let S=e.valToPos(Date.parse(w.at)/
1e3,"x",!0);if(w.kind==="outage"){let E=w.until?e.valToPos(Date.parse(w.until)/1e3,"x",!0):o+l;s.fillStyle=Is("--bad-soft",n),s.fillRect(m(S),r,Math.max(m(E)-m(
S),devicePixelRatio),d)}else S>=o&&S<=o+l&&(s.strokeStyle=Is("--ink-faint",n),s.lineWidth=devicePixelRatio,s.setLineDash([4*devicePixelRatio,3*devicePixelRatio]),
s.beginPath(),s.moveTo(S,r),s.lineTo(S,r+d),s.stroke())}s.restore()}function Hh({marks:e,from:t,to:n}){let s=l=>(l.kind==="start"?Date.parse(l.at):l.until?Date.
parse(l.until):ct())/1e3,o=e.filter(l=>s(l)>=t&&Date.parse(l.at)/1e3<=n);if(o.length===0)return null;let r=Object.values(Object.groupBy(o,l=>l.kind+l.says)).sort(
(l,d)=>Date.parse(l.at(-1).at)-Date.parse(d.at(-1).at));return a`<ul class="marks small soft">${r.length>4&&a`<li>and ${L(r.length-4,"earlier event")}</li>`}${r.
slice(-4).map(l=>[l.length,l.at(-1)]).map(([l,d])=>a`<li><i class=${d.kind}></i><span class="nowrap" title=${zt(d.at)}>${ln(d.at)}</span> ${d.says}${d.kind==="o\
utage"&&(d.until?` for ${cn((Date.parse(d.until)-Date.parse(d.at))/1e3)}`:", still")}${l>1&&`; ${l===2?"once":`${C(l-1)} times`} before`}</li>`)}</ul>`}function Ca({
data:e,lines:t,height:n=180,values:s,label:o,min:r=1,unit:l,counts:d,marks:m}){let w=Ht(m);w.current=m;let S=Ht(null),E=Ht(null),v=()=>{let T=S.current;E.current?.
destroy(),E.current=new lr({tzDate:U=>Tn()?lr.tzDate(new Date(U*1e3),"UTC"):new Date(U*1e3),width:T.clientWidth,height:n,padding:[8,8,0,0],cursor:{points:{size:6},
y:!1},legend:{live:!0},scales:{y:{range:(U,ne,ie)=>[Math.min(0,ne??0),Math.max(ie??0,r)*1.1]}},hooks:{drawClear:[U=>qh(U,w.current??[],T)]},axes:[{...su(T),size:46,
space:70,label:xs(),labelSize:14,labelGap:0,labelFont:Pi,values:(U,ne,ie,ye,le)=>Mc(ne,le)},{...su(T,(U,ne)=>ne.map(s??String),l?66:52),...d?{incrs:Wh}:{},...l?
{label:l,labelSize:16,labelGap:0,labelFont:Pi}:{}}],series:[{value:(U,ne)=>ne?zt(ne*1e3):""},...t.map(([U,ne,ie])=>({label:U,stroke:Is(ne,T),width:1.75,points:{
show:!1},value:(ye,le)=>le==null?"":(s??String)(le),...ie,...ie?.filled?{fill:Is(ie.filled,T)}:{}}))]},e,T)};return Se(()=>{v();let T=new ResizeObserver(()=>{E.
current&&S.current&&E.current.width!==S.current.clientWidth&&E.current.setSize({width:S.current.clientWidth,height:n})});T.observe(S.current);let U=rr(v);return()=>{
T.disconnect(),U(),E.current?.destroy()}},[]),Se(()=>{E.current?.setData(e)},[e]),Se(()=>{E.current?.redraw(!1)},[m]),a`<div class="chart" ref=${S} role="img" aria-label=${o}></div>
    ${m?.length>0&&a`<${Hh} marks=${m} from=${e[0][0]} to=${Math.max(e[0].at(-1)??0,ct()/1e3-60)} />`}`}var zi=()=>lr.paths.bars({size:[.7,26],radius:.15});var Uh={done:"good",held:"warn",approved:"good",rejected:""},Os=({is:e})=>a`<span class="badge ${Uh[e]??""}">${e}</span>`,Bh={pause:"warn",resume:"good",decrease:"\
warn",increase:"good",held:"warn",notify:"warn",unknown:"",none:""},Ps=({is:e})=>a`<span class="badge ${Bh[e]??""}">${e}</span>`,zs=e=>e.from===e.to?`${e.from} ${e.
currency??""}`:`${e.from} → ${e.to} ${e.currency??""}`;function Ls(e){let t=new Map;for(let n of e){let s=n.level?["",n.date,n.rule,n.action,n.wants,n.guard,n.
left,n.bidding?.field??n.reason].join(`
`):[n.date,n.campaign,n.creative,n.bidding?.field].join(`
`);t.has(s)?t.get(s).parts.push(n):t.set(s,n.level?{...n,key:s,parts:[n]}:{...n,key:s})}return[...t.values()]}var Fs=e=>e.parts&&e.bidding?e.reason.replace(/ from [\d.]+ to [\d.]+( [A-Z]{3})?/,
""):e.reason;function ja({d:e}){if(e.parts){let n=e.bidding?[`${wn[e.bidding.field]}`,`${wn[e.bidding.field]}s`]:["creative"];return a`<details><summary>${L(e.parts.
length,...n)} of ${L(new Set(e.parts.map(s=>s.campaign)).size,"campaign")}</summary>${e.parts.map(s=>a`<div key=${s.key}><${ja} d=${s} /></div>`)}</details>`}let t=a`<div class="note"><a href=${oe(
"campaigns",e.campaign)}>${e.campaign}</a></div>`;return e.bidding?a`<a class="id" href=${oe("rules","why",e.campaign)}>${wn[e.bidding.field]}</a>${(e.action!==
"unknown"||e.bidding.from>0)&&a`<div class="note">${zs(e.bidding)}</div>`}${t}`:a`<a class="id" href=${oe("rules","why",e.creative)}>${e.creative}</a>${t}`}var Jh=[
"pause","resume","decrease","increase","held","notify","unknown","none"],ou={pause:["pause"],resume:["resume"],decrease:["decrease"],increase:["increase"],notify:[
"notice"],none:["unchanged","unchanged"]},mo=e=>["pause","resume","decrease","increase"].reduce((t,n)=>t+(e.counts?.[n]??0),0),$o=e=>e.warnings?.some(t=>t.code===
"stopped");function Sa(e){let{counts:t,state:n,leftOut:s}=e,o=s?.length??0,r=js(e)-o,l=n!=="done"&&(r!==t?.held||mo(e)>0)?` (${C(r)} ${n==="held"?`${r===1?"wait\
s":"wait"} for approval`:n}${o?`, ${C(o)} dropped`:""})`:"",d=Jh.filter(m=>t?.[m]).map(m=>ou[m]?L(t[m],...ou[m]):`${C(t[m])} ${m}${m==="held"?l:""}`);return $o(
e)&&d.push("held back by the stop switch"),d.length?d.join(", "):"no decisions"}function Ga({metrics:e}){let t=Object.entries(e??{});return t.length?a`<div class="small">${t.
map(([n,s])=>a`<span class="tag">${n} ${dn(s)}</span> `)}</div>`:null}function Ns({p:e}){return e?a` <span class="badge warn">paused</span><div class="note warn-ink">paused by ${e.
by} <${Q} at=${e.at} />${e.reason&&`: ${e.reason}`}</div>`:null}var Gh=new Intl.Collator("en",{numeric:!0}),Kh=(e,t)=>typeof e=="number"?e-t:Gh.compare(e,t);function ru(e,t,n){let[,s,o]=/^(-?)(.*)$/.exec(na().params[n]??""),
r=e.find(d=>d.key===o&&d.value);return[Zt(()=>{if(!r)return t;let d=t.filter(m=>r.value(m)!=null).sort((m,w)=>Kh(r.value(m),r.value(w)));return[...s?d.reverse():
d,...t.filter(m=>r.value(m)==null)]},[t,o,s]),e.map(d=>a`<${Vh} key=${d.key} c=${d} name=${n} way=${d===r?s?"descending":"ascending":"none"} />`)]}function Vh({
c:e,name:t,way:n}){if(!e.value)return a`<th class=${e.num?"num":""} title=${e.meaning}>${e.title}</th>`;let s={none:e.num?"-"+e.key:e.key,descending:e.num?e.key:
"",ascending:e.num?"":"-"+e.key}[n];return a`<th class=${e.num?"num":""} aria-sort=${n}><button class="sort" title=${e.meaning??"Sort by this column"} onClick=${()=>et(
{[t]:s})}>${e.title}<span aria-hidden="true">${{none:"",ascending:" ▲",descending:" ▼"}[n]}</span></button></th>`}function Ws({columns:e,rows:t,id:n,href:s,
label:o}){let[r,l]=ru(e,t,"sort");return a`<table class="cards" aria-label=${o}><thead><tr>${l}</tr></thead><tbody>
    ${r.map(d=>a`<tr key=${n(d)} data-href=${s?.(d)}>${e.map(m=>a`<td class=${`${m.num?"num":""} ${m.look??""}`} data-name=${m.card===!1?void 0:m.title}>${m.cell(
d)}</td>`)}</tr>`)}</tbody></table>`}var Yh=e=>typeof e=="string"&&e.toLowerCase().replace(/[^a-z0-9]+/g,"-");function rt({columns:e,rows:t,name:n="sort",look:s="\
cards",first:o,children:r}){let[l,d]=ru(e.map(([m,w,S,E])=>({key:Yh(m),title:m,value:w,num:S,meaning:E})),t,n);return a`<table class=${s}><thead><tr>${o}${d}</tr></thead><tbody>${l.
map(r)}</tbody></table>`}var dr=e=>e.replace(/^segment /,"Segment ").replace(/^target /,"Devices of "),Xt=e=>e.name?`${e.name} (${e.target.replace(/^segment /,"")})`:dr(e.target),Li=({c:e})=>e?
a`<span class="nowrap"><span class="good-ink">+${C(e.added)}</span> <span class=${e.large?"bad-ink":e.removed?"":"faint"}>−${C(e.removed)}</span></span>`:a`<span class="faint none">–</span>`,
Fi=e=>/^\d/.test(e.every)?`every ${e.every.replace(/(\d)([a-z])/g,"$1 $2")}`:e.every;function Ni({f:e}){return e?e.paused?a`<span class="badge warn">paused</span>`:
e.held?a`<span class="badge warn">export held</span>`:e.late?a`<span class="badge bad">late</span> <span class="small"><${Ts} at=${e.late} /></span>`:e.next?a`next export <${Q} at=${e.
next} />`:a`<span class="soft">looks ${Fi(e)}</span>`:a`<span class="faint">no feed</span>`}var Zh=[{key:"name",title:"Audience",card:!1,value:e=>Xt(e),cell:e=>a`<a class="id" href=${oe(
"audiences",e.target)}>${Xt(e)}</a>${e.problems.slice(0,2).map(t=>a`<div class="note ${t.level==="bad"?"bad-ink":""}"><${At} text=${t.says} /></div>`)}`},{key:"\
size",title:"Ids",num:!0,value:e=>e.size,meaning:We.ids,cell:e=>e.size===null?a`<span class="faint">not known</span>`:a`<b>${C(e.size)}</b><div class="note">${e.
sizeOf==="ledger"?"in the ledger":"on the platform"}</div>`},{key:"change",title:"Last change",num:!0,meaning:We.change,value:e=>e.last&&Date.parse(e.last.at),cell:e=>a`<${Li} c=${e.
last} />${e.last&&a`<div class="note"><${Q} at=${e.last.at} /></div>`}`},{key:"expiry",title:"Expiry",num:!0,value:e=>e.expiry,meaning:"Days after which a membe\
r leaves the segment unless it is uploaded again",cell:e=>e.expiry?L(e.expiry,"day"):a`<span class="faint none">–</span>`},{key:"feed",title:"Feed",value:e=>e.
feed?.name,cell:e=>a`<div>${e.feed&&a`<b>${e.feed.name}</b> `}<${Ni} f=${e.feed} /></div>`},{key:"ledger",title:"Ledger from",num:!0,value:e=>e.ledger&&Date.parse(
e.ledger.at),meaning:"When the last mirror has set what usher knows of its ids",cell:e=>e.ledger?a`<${Q} at=${e.ledger.at} />${e.ledger.changed&&a`<div class="note">changed since</div>`}`:
a`<span class="faint">none</span>`},{key:"open",title:"Open jobs",num:!0,value:e=>e.open,meaning:We.open,cell:e=>e.open?C(e.open):a`<span class="faint">0</span>`}];
function iu({params:e}){let t=we("/api/audiences",["audiences","letters"]);return a`<${Je} title="Audiences" acts=${a`<a class="button" href="#/audiences/overlap">Overlaps</a>`} sub="The segments and device lists that jobs and feeds fill: how large they are, what changed last, and what is wrong.">
    <${ut} result=${t}>${({audiences:n,looking:s})=>{let o=n.filter(d=>d.problems.length>0),r=(e.text??"").toLowerCase(),l=(e.only==="problems"?o:n).filter(d=>`${Xt(
d)} ${dr(d.target)} ${d.feed?.name??""}`.toLowerCase().includes(r));return a`<div class="filters"><${Dn} label="Search audience or feed …" value=${e.text} onText=${d=>et(
{text:d})} />
        <${ka} label="Which" value=${e.only} onPick=${d=>et({only:d})} options=${[["","All",Rs(n.length,s)],["problems","With problems",o.length]]} /></div>
        <${X} flush>${l.length===0?a`<${Te} title=${s?"No audience found so far":n.length?"No audience matches":"No audiences yet"}>${s?"Older jobs are being re\
ad.":n.length?"Remove a filter to see others.":"A segment appears here with its first job or feed."}<//>`:a`<${Ws} label="Audiences" columns=${Zh} rows=${l} params=${e} id=${d=>d.
target} href=${d=>oe("audiences",d.target)} /><div class="foot">${L(l.length,"audience")}</div>`}<${Ds} l=${s} /><//>`}}<//>
  <//>`}var cr=[["accepted","Accepted"],["unchanged","Unchanged"],["duplicate","Duplicate"],["suppressed","Suppressed"],["withheld","Withheld"],["junk","Junk"],["invali\
d","Invalid"],["refused","Refused"]],Ta=e=>typeof e=="number"?e:Object.values(e??{}).reduce((t,n)=>t+n,0);function Xh({tally:e}){let t=e.read||1,n=cr.filter(([s])=>Ta(
e[s])).map(([s,o])=>`${o.toLowerCase()} ${C(Ta(e[s]))}`).join(", ");return a`<div class="bar" role="img" aria-label=${n||"no rows yet"}>
    ${cr.map(([s])=>Ta(e[s])>0&&a`<i class="c-${s}" style=${{flexGrow:Ta(e[s])/t}}></i>`)}
  </div>`}function lu({tally:e,dryRun:t}){let n=cr.reduce((s,[o])=>s+Ta(e[o]),0);return a`<${Xh} tally=${e} />
    <div class="legend">
      ${cr.filter(([s])=>s==="accepted"||Ta(e[s])>0).map(([s,o])=>a`<div class="key" key=${s}>
        <i class="c-${s}"></i><span>${s==="accepted"&&t?"Would be sent":o}</span><b>${C(Ta(e[s]))}</b>
        ${typeof e[s]=="object"&&Ta(e[s])>0&&a`<div class="reasons">
          ${Object.entries(e[s]).sort((r,l)=>l[1]-r[1]).map(([r,l])=>a`<span>${aa(r)}<span>${C(l)}</span></span>`)}</div>`}
      </div>`)}
    </div>
    <div class="sum"><span class="soft">Sum of all columns</span>
      <span><b>${C(n)}</b> ${n===e.read?a`<span class="good-ink">= ${L(e.read,"row")} read</span>`:a`<span class="bad-ink">but ${L(e.read,"row")} read: please report this</span>`}</span></div>`}var Qh={queued:"queued",running:"running",retrying:"waiting for the next attempt"},Wi=e=>["done","failed","cancelled"].includes(e);function ef(e,t,n){let s=new Map;
for(let o of t)s.has(o.run)||s.set(o.run,[]),s.get(o.run).push(o);return[...s].map(([o,r])=>{let l=r.map(E=>({state:E.state,at:Date.parse(E.at)}));o===1&&Date.parse(
e.submitted)<l[0].at&&l.unshift({state:"queued",at:Date.parse(e.submitted)});let d=l.at(-1),m=Wi(d.state)?d.at:Math.max(n,d.at),w=0,S=l.filter(E=>!Wi(E.state)).
map((E,v)=>(E.state==="running"&&l[v-1]?.state!=="running"&&w++,{...E,attempt:w,long:((l[v+1]?.at??m)-E.at)/1e3}));return{run:o,phases:tf(S),from:l[0].at,to:m,end:Wi(
d.state)?d.state:""}})}function tf(e){let t=[];for(let n of e){let s=t.at(-1);s?.state===n.state?s.long+=n.long:t.push({...n})}return t}var qi=e=>Qh[e.state]+(e.
state==="running"&&e.attempt>1?`, attempt ${C(e.attempt)}`:"");function nf({r:{run:e,phases:t,from:n,to:s,end:o},many:r}){let l=Math.max((s-n)/1e3,.001),d=t.map(
m=>`${qi(m)} ${cn(m.long)}`).join(", then ");return a`<figure class="run">${r&&a`<figcaption class="small strong">Run ${C(e)}</figcaption>`}
    <div class="phases" role="img" aria-label=${`${d}${o?`; ended ${o}`:""}`}>${t.map((m,w)=>a`<i key=${w} class=${m.state} style=${{flexGrow:Math.max(m.long/l,
.01)}} title=${`${qi(m)}: ${cn(m.long)}`}></i>`)}${o&&a`<b class=${Ii(o)}></b>`}</div>
    <div class="ends small faint"><span title=${zt(n)}>${ln(n)}</span><span>${o||"now"} after ${cn(l)}</span></div>
    <ul class="small soft">${t.slice(0,12).map(m=>a`<li><i class="dot ${m.state}"></i>${qi(m)} <b>${cn(m.long)}</b></li>`)}${t.length>12&&a`<li>and ${C(t.length-
12)} more phases</li>`}</ul></figure>`}function du({r:e,history:t}){let n=Ss(),s=t.length?t:[{state:e.state,at:e.submitted,run:e.run}],o=ef(e,s,n),r=s.filter(l=>l.
error).slice(-5);return a`<${X} title="Timeline">
    ${o.slice(-6).map(l=>a`<${nf} key=${l.run} r=${l} many=${o.length>1||l.run>1} />`)}
    ${o.length>6&&a`<p class="small faint">${C(o.length-6)} earlier runs are not shown</p>`}
    ${r.map(l=>a`<div class="small break"><span class="bad-ink" title=${l.error.class}>${nn(l.error.class)}</span> <${Q} at=${l.at} /></div>`)}<//>`}var Da=e=>JSON.stringify(e).slice(1,-1).replaceAll('\\"','"'),af={",":"comma",";":"semicolon","	":"tab","|":"bar"," ":"space"};function sf(e){let[t,n]=[e.slice(
0,e.indexOf(":")),e.slice(e.indexOf(":")+1)];return t==="except"?a`members of <a href=${oe("audiences",n.replace("campaign/","target ").replace("/"," "))}>${n}</a>`:
`held out by the key “${n}”`}function cu(e){let{column:t}=e,n=["parquet","avro","xlsx"].includes(e.format)?"":`, ${e.encoding}`,s=["csv","xlsx"].includes(e.
format),o=s&&t.number>0,r=e.format==="text"?"every line":"every value",l=e.files>1?`, ${L(e.files,"file")}`:"";return a`<dt>Format</dt><dd>${e.format}${n}${e.compression===
"none"?"":`, ${e.compression}`}${l}</dd>
    ${e.sheet&&a`<dt>Sheet</dt><dd>${Da(e.sheet)}</dd>`}
    ${e.delimiter&&a`<dt>Delimiter</dt><dd>${af[e.delimiter]??a`<code>${Da(e.delimiter)}</code>`}</dd>`}
    ${e.quote&&a`<dt>Quotes</dt><dd>${e.quote}, escape ${e.escape}</dd>`}
    ${e.skip!==0&&a`<dt>Skipped</dt><dd>${typeof e.skip=="number"?`the first ${L(e.skip,"line")}`:a`lines that begin with <code>${Da(e.skip)}</code>`}</dd>`}
    ${(s||e.format==="text")&&a`<dt>Header</dt><dd>${e.header?"yes":"no"}</dd>`}
    <dt>Ids in</dt><dd>${t.name&&a`<b>${Da(t.name)}</b>`}${t.name&&o?", ":""}${o&&`column ${C(t.number)}`}${e.format==="text"&&t.name?", ":""}${e.format==="text"||
!t.name&&!o?r:""}
      ${t.why&&a`<div class="faint small"><${jt} text=${t.why} /></div>`}</dd>
    ${e.typeColumn&&a`<dt>Types in</dt><dd>${Da(e.typeColumn)}</dd>`}
    ${e.withheld?.map(d=>a`<dt>Left out</dt><dd>${L(d.count,"id")}: ${sf(d.reason)}${d.at&&a`<div class="note">as of its generation ${C(d.generation)}, <${Q} at=${d.
at} /></div>`}</dd>`)}
`}var uu=({u:e})=>a`<${X} title="How the export was read"><dl class="facts">${cu(e)}</dl><//>`,of={idfa:"IDFA",aaid:"AAID",android_id:"ANDROID_ID",md5:"MD5 hash\
es"};function pu({m:e}){if(!e)return null;let{beside:t={}}=e.understood,n=Object.entries(e.dropped).sort();return a`<${X} title="Last good export"><p class="soft small">The next export is compared with it. If it is read in another way, or more of its rows have no usable id, nothing is sent before somebody approves it.</p>
    <dl class="facts">
      <dt>By job</dt><dd class="break"><a href=${oe("jobs",e.job)}>${e.job}</a></dd>
      <dt>Since</dt><dd><${Q} at=${e.at} />${e.approvedBy&&`, approved by ${e.approvedBy}`}</dd>
      <dt>Rows</dt><dd>${C(e.rows)}</dd>
      ${cu(e.understood)}
      ${e.understood.kind&&a`<dt>Kind of ids</dt><dd>${of[e.understood.kind]??e.understood.kind}</dd>`}
      ${t.typeValues&&a`<dt>Types</dt><dd>${t.typeValues.map(Da).join(", ")}</dd>`}
      ${t.columns&&a`<dt>Beside</dt><dd class="break">${t.columns.map(Da).join(", ")}</dd>`}
      ${n.length>0&&a`<dt>Left out</dt><dd>${n.map(([s,o])=>a`<div>${s.startsWith("withheld.")?Da(s.replace("."," by ")):aa(s.replace(/^(junk|invalid)\./,""))} ${(100*
o/e.rows).toFixed(1)} %</div>`)}</dd>`}
    </dl><//>`}var Hi=e=>["done","failed","cancelled"].includes(e);function hu(e){let t=we("/api/jobs/"+encodeURIComponent(e),["job "+e]),[n,s]=O(!1),o=t.data?.record,r=o&&a`<${Ja} is=${o.
state} /> <${Ln} kind=${o.kind} target=${t.data.target} name=${o.targetName} />${o.run>1?` · run ${o.run}`:""}`,l=o&&a`
    ${o.state==="failed"&&a`<a class="button" href=${$u(e)}>Fix and replay …</a>`}
    ${!Hi(o.state)&&Be("operator")&&a`<button class="danger" onClick=${()=>s(!0)}>Cancel job</button>`}`,d=a`<${ut} result=${t}>${m=>a`<${rf} page=${m} />`}<//>
    ${n&&a`<${Ui} ids=${[e]} onClose=${()=>s(!1)} onDone=${t.reload} />`}`;return{sub:r,acts:l,body:d}}function fu({id:e}){let{sub:t,acts:n,body:s}=hu(e);return a`<${Je} title=${e} crumb=${a`<a href="#/jobs">Jobs</a>`} sub=${t} acts=${n}>${s}<//>`}
function mu({id:e,onClose:t}){let{sub:n,acts:s,body:o}=hu(e),r=Ht(null);return Se(()=>{r.current?.focus({preventScroll:!0});let l=d=>{d.key==="Escape"&&!document.
querySelector("dialog[open]")&&t()};return window.addEventListener("keydown",l),()=>{window.removeEventListener("keydown",l),document.querySelector(`a.id[href$=\
"job=${CSS.escape(encodeURIComponent(e))}"]`)?.focus({preventScroll:!0})}},[]),a`<aside class="drawer" aria-label=${`Job ${e}`}>
    <div class="head"><div class="title"><h2 tabindex="-1" ref=${r}>${e}</h2><div class="sub">${n}</div></div>
      <div class="acts">${s}<a class="button" href=${oe("jobs",e)}>Open page</a><button class="bare" onClick=${t} aria-label="Close the job">✕</button></div></div>
    <div class="stack">${o}</div></aside>`}function Ui({ids:e,onClose:t,onDone:n}){let[s,o]=O(""),r=e.length===1?"Cancel this job?":`Cancel ${L(e.length,"job")}\
?`,l=async()=>{if(e.length===1)await Pe(`/api/jobs/${encodeURIComponent(e[0])}/cancel`,{reason:s}),Ke(`Job ${e[0]} is cancelled`);else{let{cancelled:d,left:m}=await Pe(
"/api/jobs/cancel",{ids:e,reason:s});Ke(`${L(d,"job")} cancelled${m.length?`; ${C(m.length)} not: ${m[0].why}`:""}`,m.length>0)}n()};return a`<${Ge} title=${r} act=${e.
length===1?"Cancel job":`Cancel ${L(e.length,"job")}`} dismiss=${e.length===1?"Keep job":"Keep jobs"} danger onClose=${t} onAct=${l}>
    <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${s} onInput=${d=>o(d.target.value)} data-first /><//><//>`}
var $u=e=>"#/letters?id="+encodeURIComponent(e);function rf({page:e}){let t=e.record,n=t.job??{},s=oa({...t,accepted:t.tally.accepted,dryRun:n.dryRun});return a`
    ${t.consequence&&a`<${fe} level=${t.consequence.large?"bad":""} says=${a`<span class="named">${vn(e.target,t.targetName)}: ${s}</span>`} hint=${t.consequence.
large?`It ${n.dryRun?"would remove":"has removed"} more than half of what maxRemovePercent allows, ${n.maxRemovePercent??20} % of the members. If that is not ri\
ght, usher ledger rollback brings back the generation before.`:""} />`}
    ${t.error&&a`<${fe} level="bad" says=${a`<span title=${t.error.class}>${nn(t.error.class)}</span>: <${At} text=${t.error.message} />`} hint=${t.error.hint} of=${t.
error.class} to=${t.state==="failed"?$u(t.id):""} />`}
    ${t.why&&!Hi(t.state)&&a`<${fe} level=${t.state==="running"?"":"warn"} says=${t.why} hint=${{queued:"The job has not started for this reason.",retrying:"The\
 job waits for this before its next attempt."}[t.state]}>${t.waitsFor?.job&&a`<div class="hint">Job <a class="id" href=${oe("jobs",t.waitsFor.job)}>${t.waitsFor.
job}</a> comes first.</div>`}<//>`}
    <div class="grid two-one">
      <div class="stack">
        ${e.parts?.length||t.parts.total>1?a`<${cf} r=${t} parts=${e.parts??[]} />`:null}
        ${(t.tally.read>0||lf(t))&&a`<${X} title="Where every row went" side=${n.dryRun&&a`<span class="tag">dry run</span>`}><${lu} tally=${t.tally} dryRun=${n.
dryRun} /><//>`}
        ${t.warnings.length>0&&a`<${X} title="Warnings" flush><${rt} name="warnings" rows=${t.warnings} columns=${[["What",o=>o.description],["Times",o=>o.count,
!0]]}>${o=>a`<tr><td class="break whole" title=${o.code}><${jt} text=${o.description} /></td><td class="num" data-name="Times">${C(o.count)}</td></tr>`}<//><//>`}
        ${t.samples.length>0&&a`<${df} all=${t.samples} />`}
        <${X}><details><summary>The job as it was published</summary><pre class="block">${JSON.stringify(n,null,2)}</pre></details><//>
      </div>
      <div class="stack"><${uf} r=${t} target=${e.target} />${t.understood&&a`<${uu} u=${t.understood} />`}<${du} r=${t} history=${e.history} /></div>
    </div>`}var lf=e=>["segment.add","segment.remove","segment.mirror","target.add","target.replace","target.mirror"].includes(e.kind)&&Hi(e.state)&&e.state==="\
done";function df({all:e}){let[t,n]=O(!1),s=6;return a`<${X} title="Samples of dropped rows" flush side=${a`<span class="faint small">masked</span>`}>
    <${rt} look="" name="samples" rows=${e.slice(0,t?e.length:s)} columns=${[["Row",o=>o.row,!0],["Dropped as",o=>o.reason],["Masked"]]}>${o=>a`<tr><td class="num">${C(
o.row)}</td><td title=${o.reason}>${aa(o.reason)}</td><td class="mono break">${o.masked}</td></tr>`}<//>
    ${!t&&e.length>s&&a`<div class="foot"><span>${s} of ${C(e.length)}</span><button class="small" onClick=${()=>n(!0)}>Show all</button></div>`}<//>`}function cf({
r:e,parts:t}){let n=new Map(t.map(l=>[l.number,l])),{total:s,done:o}=e.parts,r=t.filter(l=>l.crashes>0).sort((l,d)=>d.crashes-l.crashes);return a`<${X} title="Parts" side=${a`<span class="soft">${C(
o)} of ${C(s)} done</span>`}>
    <progress max=${s} value=${o} aria-label="Parts done"></progress>
    <div class="parts" style=${{marginTop:"12px"}} aria-hidden="true">${Array.from({length:s},(l,d)=>{let m=n.get(d)??(o===s?{state:"done",read:null}:void 0);return a`<i key=${d} class=${m?.
state??""} title=${`part ${d+1}: ${m?m.state+(m.read===null?"":`, ${C(m.read)} rows`):"waiting"}`}></i>`})}</div>
    ${r.length>0&&a`<p class="small soft" style=${{marginTop:"12px"}}>Workers crashed while they ran ${r.slice(0,5).map((l,d)=>a`${d>0&&", "}part ${C(l.number+1)} <b class="bad-ink">${l.
crashes===1?"once":`${C(l.crashes)} times`}</b>`)}${r.length>5&&` and ${L(r.length-5,"other part")}`}. Each goes on where it stopped.</p>`}<//>`}function uf({r:e,
target:t}){let n=e.kind.startsWith("segment.")||e.kind.startsWith("rules.")?"":t.split(" ")[1];return a`<${X} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${n?a`<a href=${oe("campaigns",n)}>${vn(t)}</a>`:e.kind.startsWith("segment.")?a`<a href=${oe("audiences",t)}>${vn(t,e.targetName)}</a>`:
vn(t)}</dd>
    <dt>Submitted</dt><dd><${Q} at=${e.submitted} /></dd>
    ${e.started&&a`<dt>Started</dt><dd><${Q} at=${e.started} /></dd>`}
    ${e.finished&&a`<dt>Finished</dt><dd><${Q} at=${e.finished} />${e.started&&a` <span class="faint">after ${cn((new Date(e.finished)-new Date(e.started))/1e3)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${C(e.attempts)}${e.crashes>0&&a`, <span class="bad-ink">${L(e.crashes,"crash","crashes")}</span>`}</dd>
    ${e.batches>0&&a`<dt>Sent</dt><dd>${L(e.batches,"batch","batches")}, ${_s(e.bytes)}</dd>`}
    ${e.distinct>0&&a`<dt>Distinct ids</dt><dd>${e.kind.endsWith(".mirror")?"":"about "}${C(e.distinct)}</dd>`}
    ${e.new!==void 0&&a`<dt title=${We.new}>New</dt><dd>${e.new?C(e.new):"none: all were members before"}</dd>`}
    ${(e.numberOfIds.before>0||e.numberOfIds.after>0)&&a`<dt>On the platform</dt><dd>${C(e.numberOfIds.before)} before, ${C(e.numberOfIds.after)} after</dd>`}
    ${e.job?.actor&&a`<dt>Actor</dt><dd>${e.job.actor}</dd>`}
    ${e.job?.reason&&a`<dt>Reason</dt><dd>${e.job.reason}</dd>`}
    <dt>Who did what</dt><dd><a href=${"#/audit"+Ae({job:e.id})}>In the audit</a></dd>
  </dl><//>`}var Ji=[["","All kinds"],...Object.entries(po).map(([e,[t]])=>[e,t])],pf=["queued","running","retrying","done","failed","cancelled"],hf=50,ff=[["","All times"],
["1","Last hour"],["24","Last 24 hours"],["168","Last 7 days"],["720","Last 30 days"],["days","From … to …"]],go=e=>["done","failed","cancelled"].includes(e);
function mf({span:e,from:t,to:n}){return e==="days"?{since:t&&ki(t),until:n&&ki(n,1)}:{since:e&&new Date(Math.floor(ct()/6e4)*6e4-Number(e)*36e5).toISOString()}}
function bu({params:e}){let t={state:e.state,kind:e.kind,text:e.text,target:e.target,...mf(e)},n=we("/api/jobs"+Ae({...t,after:e.after,limit:hf}),["jobs"]),[s,o]=O(
[]),[r,l]=O(!1),d=n.data??n.stale,m=d?Object.values(d.states).reduce((T,U)=>T+U,0):void 0,w=T=>{o([]),et({after:"",...T})},S=d?.jobs.filter(T=>!go(T.state)).map(
T=>T.id)??[],E=s.filter(T=>S.includes(T)),v={...e,job:""};return a`<${Je} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${Dn} label="Search id, target, error …" value=${e.text} onText=${T=>w({text:T})} />
      <${Jn} label="Kind" value=${e.kind} onPick=${T=>w({kind:T})} options=${Ji} />
      <${Jn} label="Submitted" value=${e.span} onPick=${T=>w({span:T,from:"",to:""})} options=${ff} />
      ${e.span==="days"&&a`<input type="date" aria-label="First day" value=${e.from??""} onChange=${T=>w({from:T.target.value})} /><input type="date" aria-label="Last day" value=${e.
to??""} onChange=${T=>w({to:T.target.value})} />`}
    </div>
    <${ka} label="State" value=${e.state} onPick=${T=>w({state:T})}
      options=${[["","All",m],...pf.map(T=>[T,T[0].toUpperCase()+T.slice(1),d&&(d.states[T]??0),We[T]])].map(([T,U,ne,ie])=>[T,U,ne==null?void 0:Object.values(t).
some(Boolean)?Rs(ne,d.looking):C(ne),ie])} />
    ${e.target&&a`<div><button class="small" onClick=${()=>w({target:""})} aria-label="Remove the filter target">${e.target} ×</button></div>`}
    ${n.error&&a`<${un} says=${n.error} retry=${n.reload} />`}
    <section class="card">${d?a`<${$f} list=${d} filtered=${Object.values(t).some(Boolean)} params=${v} chosen=${E} choose=${o} />
      <${Ds} l=${d.looking} />
      ${(d.jobs.length>0||e.after)&&a`<div class="foot"><span>${C(d.jobs.length)} of ${L(d.total,"job")}${d.looking&&d.total<=d.jobs.length?" so far":""}${d.more&&
!d.next?"; choose a time to see older ones":""}</span>
        <span class="acts">${e.after&&a`<a class="button small" href=${"#/jobs"+Ae({...v,after:""})}>Newest</a>`}
        ${d.next&&a`<a class="button small" href=${"#/jobs"+Ae({...v,after:d.next})}>Older</a>`}</span></div>`}`:!n.error&&a`<${yn} />`}</section>
    ${E.length>0&&a`<div class="selection" role="group" aria-label="Actions on the selected jobs"><span class="says"><b>${L(E.length,"job")}</b> selected</span>
      <button class="bare" onClick=${()=>o([])}>Clear</button><button class="danger" onClick=${()=>l(!0)}>Cancel ${L(E.length,"job")} …</button></div>`}
    ${r&&a`<${Ui} ids=${E} onClose=${()=>l(!1)} onDone=${()=>o([])} />`}
    ${e.job&&a`<${mu} id=${e.job} key=${e.job} onClose=${()=>et({job:""})} />`}
  <//>`}function $f({list:e,filtered:t,params:n,chosen:s,choose:o}){return e.jobs.length===0?e.looking?a`<${Te} title="No job found so far">Older jobs are being read.<//>`:
t||n.after?a`<${Te} title="No job matches">Remove a filter to see other jobs.<//>`:a`<${Te} title="No jobs yet">Jobs are published by programs, by feeds and by rules, and appear here at once.<${xa}>usher submit segment.add --segment 1 --profile idfa export.csv<//><//>`:
a`<${Gi} jobs=${e.jobs} href=${r=>"#/jobs"+Ae({...n,job:r})} chosen=${Be("operator")&&e.jobs.some(r=>!go(r.state))?s:null} choose=${o} />`}var Bi="Sort the rows\
 on this page",gf=[["Job",e=>e.id,!1,Bi],["State",e=>e.state,!1,Bi],["Rows",e=>e.read,!0,We.read],["Accepted",e=>e.accepted,!0,We.accepted],["Submitted",e=>Date.
parse(e.submitted),!0,Bi]];function Gi({jobs:e,href:t=o=>oe("jobs",o),chosen:n,choose:s}){let o=e.filter(l=>!go(l.state)).map(l=>l.id),r=l=>s(n.includes(l)?n.filter(
d=>d!==l):[...n,l]);return a`<${rt} look=${`cards ${n?"ticks":""}`} rows=${e} columns=${gf}
    first=${n&&a`<th class="tick"><input type="checkbox" aria-label="Select all jobs on this page that have not ended" checked=${n.length===o.length} onChange=${()=>s(
n.length===o.length?[]:o)} /></th>`}>${l=>a`<tr key=${l.id} data-href=${t(l.id)}>
      ${n&&a`<td class="tick">${!go(l.state)&&a`<input type="checkbox" aria-label=${`Select job ${l.id}`} checked=${n.includes(l.id)} onChange=${()=>r(l.id)} />`}</td>`}
      <td><a class="id" href=${t(l.id)}>${l.id}</a><div class="note"><${Ln} kind=${l.kind} target=${l.target} name=${l.targetName} />${l.run>1?` · run ${l.run}`:
""}</div>
        ${l.state==="running"?a`<${wf} row=${l} />`:a`<${bf} row=${l} />`}</td>
      <td><${Ja} is=${l.state} /></td>
      <td class="num" data-name="Rows">${l.read?C(l.read):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Accepted">${l.accepted?C(l.accepted):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Submitted"><div><${Q} at=${l.submitted} />${gu(l)&&a`<div class="note">took ${gu(l)}</div>`}</div></td>
    </tr>`}<//>`}var gu=e=>e.started&&e.finished&&cn((new Date(e.finished)-new Date(e.started))/1e3);function bf({row:e}){if(e.error)return a`<div class="note"><span class="bad-ink" title=${e.
error.class}>${nn(e.error.class)}</span>: <${At} text=${e.error.message} /></div>`;if(e.why)return a`<div class="note"><${jt} text=${e.why} /></div>`;let t=go(e.
state)&&(oa(e)||e.rejected);return!t&&!e.warnings?null:a`<div class="note">${t&&a`<${Es} r=${e} />`}${t&&e.warnings>0&&"; "}${e.warnings>0&&L(e.warnings,"warnin\
g")}</div>`}function vf(e){let t=Ht({read:0,at:Date.parse(e.started),rate:0});return Zt(()=>{let{read:n,at:s}=t.current,o=(Date.now()-s)/1e3;return e.read>n&&o>=
1&&(t.current={read:e.read,at:Date.now(),rate:(e.read-n)/o}),t.current.rate},[e.read])}function wf({row:e}){let t=Ss(),n=vf(e);if(e.state!=="running")return a`<div class="note"><${jt} text=${e.
why||"waits for its next attempt"} /></div>`;let{total:s,done:o}=e.parts,r=s>1?o/s:null,l=r>0&&e.started?(t-Date.parse(e.started))/1e3*(1-r)/r:null,d=[r!==null&&
`${Math.floor(100*r)} %, ${C(o)} of ${C(s)} parts`,e.read>0&&`${C(e.read)} rows`,n>=1&&`${C(n)} rows/s`,l!==null&&`about ${cn(Math.max(l,1))} left`].filter(Boolean);
return a`${r!==null&&a`<progress max=${s} value=${o} aria-label="Parts done"></progress>`}<div class="note">${e.why?a`<${jt} text=${e.why} />`:d.join(" · ")||"\
started"}</div>`}var yf=10,vu=(e,t)=>t?100*e/t:0,ur=(e,t)=>`${vu(e,t).toFixed(1)} %`,xf=e=>(e.of??"").split(",").filter(Boolean);function wu({params:e}){let t=we("/api/audiences",
["audiences"]),n=xf(e);return a`<${Je} title="Overlaps" crumb=${a`<a href="#/audiences">Audiences</a>`} sub="How many members audiences have in common, counted from usher's ledgers. Choose 2 to 10 that have one.">
    <${ut} result=${t}>${({audiences:s})=>a`<${kf} audiences=${s} of=${n} />`}<//>
    ${n.length<2?a`<${X}><${Te} title="Choose two audiences">Then the members of both are counted.<//><//>`:a`<${_f} of=${n} key=${n.join()} />`}
  <//>`}function kf({audiences:e,of:t}){let n=e.filter(o=>o.ledger||t.includes(o.target));if(n.length===0)return a`<${X}><${Te} title="No audience has a ledger">The first mirror of a segment or campaign makes one.<//><//>`;
let s=o=>et({of:(t.includes(o)?t.filter(r=>r!==o):[...t,o]).join(",")});return a`<div class="picks" role="group" aria-label="Audiences">${n.map(o=>a`<button class="small" key=${o.
target} aria-pressed=${t.includes(o.target)} disabled=${!t.includes(o.target)&&t.length>=yf} onClick=${()=>s(o.target)}>${Xt(o)}</button>`)}</div>`}function _f({
of:e}){let t=we("/api/overlap?"+e.map(n=>"target="+encodeURIComponent(n)).join("&"),[]);return a`<${ut} result=${t}>${n=>a`
    ${n.audiences.filter(s=>s.uncertain>0).map(s=>a`<${fe} level="warn" says=${`${L(s.uncertain,"id")} of ${Xt(s)} may be members, and are not counted`} hint="A job has begun to change it and has not ended as it should. The next mirror settles it." />`)}
    <${Cf} o=${n} />
    <div class="grid two-one"><div class="stack"><${jf} o=${n} /></div><div class="stack"><${Sf} o=${n} /></div></div>`}<//>`}function Cf({o:e}){let t=e.audiences[0];
return a`<div class="figures">
    <${St} name="Together" value=${C(e.union)} note="members of at least one" />
    <${St} name=${e.audiences.length>2?"In all":"In both"} value=${C(e.all)} note=${`${ur(e.all,e.union)} of all`} />
    <${St} name=${`Only in ${Xt(t)}`} value=${C(t.only)} note=${`${ur(t.only,t.members)} of its members`} />
  </div>`}function jf({o:e}){return a`<${X} title="In both" flush side=${a`<span class="faint small">and their share of the row's members</span>`}>
    <div class="scroll"><table class="matrix" aria-label="Members in common"><thead><tr><th></th><th class="num">Members</th>${e.audiences.map((t,n)=>a`<th class="num" title=${Xt(
t)}><span class="soft">and</span> ${n+1}</th>`)}</tr></thead>
    <tbody>${e.audiences.map((t,n)=>a`<tr key=${t.target}><th scope="row"><span class="faint">${n+1}</span> <a href=${oe("audiences",t.target)}>${Xt(t)}</a><div class="note">generation ${C(
t.generation)}, <${Q} at=${t.at} />${t.lapsed>0&&`, ${C(t.lapsed)} lapsed`}</div></th>
      <td class="num"><b>${C(t.members)}</b></td>
      ${e.both[n].map((s,o)=>n===o?a`<td class="num self" key=${o}>–</td>`:a`<td class="num" key=${o} style=${{"--share":vu(s,t.members).toFixed(1)+"%"}} title=${`${C(
s)} of the ${C(t.members)} members of ${Xt(t)} are in ${Xt(e.audiences[o])}`}>${C(s)}<div class="note">${ur(s,t.members)}</div></td>`)}</tr>`)}</tbody></table></div>
  <//>`}function Sf({o:e}){return a`<${X} title="Of all members"><div class="unions">
    <div><div class="small"><b>Together</b> <span class="soft">${C(e.union)}</span></div><div class="bar" aria-hidden="true"><i class="c-duplicate" style=${{flexGrow:1}}></i></div></div>
    ${e.audiences.map(t=>a`<div key=${t.target}><div class="small">${Xt(t)} <span class="soft">${C(t.members)}, ${ur(t.members,e.union)}</span></div>
      <div class="bar" role="img" aria-label=${`${C(t.only)} only in ${Xt(t)}, ${C(t.members-t.only)} in others, too`}>
        ${t.only>0&&a`<i class="c-accepted" style=${{flexGrow:t.only}}></i>`}${t.members>t.only&&a`<i class="c-suppressed" style=${{flexGrow:t.members-t.only}}></i>`}<i style=${{
flexGrow:e.union-t.members,minWidth:0}}></i></div>
      <div class="note">${C(t.only)} only here, ${C(t.members-t.only)} in others, too</div></div>`)}
    <div class="keys small soft"><span><i class="c-accepted"></i>only here</span><span><i class="c-suppressed"></i>in others, too</span></div>
  </div><//>`}var yu=(...e)=>"#/audiences/overlap"+Ae({of:e.join(",")});function xu({target:e}){let t="/api/audiences/"+encodeURIComponent(e),n=we(t,["audiences","letters"]),[s,o]=O(""),r=n.data,l=r&&a`${r.ledger&&a`<a class="button" href=${yu(
e)}>Overlaps</a>`}${Be("operator")&&a`${r.source&&a`<button onClick=${()=>o("compare")}>Compare with an export …</button>`}
    ${r.ledger&&a`<button onClick=${()=>o("verify")}>Check against the platform …</button>`}`}`;return a`<${Je} title=${r?Xt(r):dr(e)} crumb=${a`<a href="#/audiences">Audiences</a>`} sub=${r&&
a`<${Ni} f=${r.feed} />`} acts=${l}>
    <${ut} result=${n}>${d=>a`
      ${d.problems.map(m=>a`<${fe} key=${m.says} level=${m.level} says=${a`<${At} text=${m.says} />`} where=${m.where?.startsWith("/letters")?"#"+m.where:void 0} />`)}
      <${Ds} l=${d.looking} />
      <${Tf} a=${d} />
      <div class="grid two-one">
        <div class="stack"><${Rf} points=${d.sizes} /><${Af} points=${d.trend} /><${Mf} jobs=${d.jobs} looking=${d.looking} target=${e} /></div>
        <div class="stack"><${Ef} f=${d.feed} last=${d.jobs.find(m=>m.id===d.feed?.job)} onDone=${n.reload} /><${If} l=${d.ledger} /><${Of} w=${d.withheld} /><${pu} m=${d.
memory} /></div>
      </div>`}<//>
    ${s==="compare"&&a`<${Pf} path=${t} source=${r.source} onClose=${()=>o("")} />`}
    ${s==="verify"&&a`<${zf} path=${t} onClose=${()=>o("")} />`}
  <//>`}function Tf({a:e}){let t=e.trend.at(-1);return a`<div class="figures">
    <${St} name="Ids" meaning=${We.ids} value=${e.size===null?"–":C(e.size)} note=${e.size===null?e.looking?Ki:"no job or ledger has said it":e.sizeOf==="ledg\
er"?"in usher's ledger":a`on the platform, <${Q} at=${e.sizeAt} />`} />
    <${St} name="Last change" meaning=${We.change} value=${a`<${Li} c=${e.last} />`} note=${e.last?a`<${Q} at=${e.last.at} />`:e.looking?Ki:"no job on record ha\
s changed it"} />
    <${St} name="Junk and invalid" meaning=${We.quality} value=${t?`${Df(t.junk+t.invalid,t.read)} %`:"–"} note=${t?`of ${L(t.read,"row")} in the last export`:
e.looking?Ki:e.jobs.length<200?"no export on record was read":"its newest 200 jobs have read no export"} bad=${t&&(t.junk+t.invalid)/t.read>.05} />
    <${St} name="Open jobs" meaning=${We.open} value=${C(e.open)} note=${e.letters?L(e.letters,"dead letter"):"no dead letters"} bad=${e.letters>0} />
  </div>`}var Ki="older jobs are being read",Df=(e,t)=>t?(100*e/t).toFixed(e&&e/t<.01?2:1):"0",ku=e=>Date.parse(e)/1e3;function Rf({points:e}){let t=Zt(()=>[e.map(
n=>ku(n.at)),e.map(n=>n.ledger),e.map(n=>n.platform)],[e]);return a`<${X} title="Size" side=${a`<span class="faint small">ids, after each job</span>`}>
    ${e.length<2?a`<${Te} title="No history yet">The size is drawn once two jobs have ended.<//>`:a`<${Ca} data=${t} values=${Un} unit="ids" label=${`Ids over t\
ime, now ${C(e.at(-1).ledger??e.at(-1).platform)}`} height=${220}
        lines=${[["in the ledger","--c-accepted",{spanGaps:!0,points:{show:!0,size:5}}],["on the platform","--c-suppressed",{spanGaps:!0,points:{show:!0,size:5}}]]} />`}<//>`}
function Af({points:e}){let t=Zt(()=>[e.map(n=>ku(n.at)),e.map(n=>100*n.junk/n.read),e.map(n=>100*n.invalid/n.read)],[e]);return a`<${X} title="Data quality" side=${a`<span class="faint small">share of the rows of each export that name no device</span>`}>
    ${e.length<2?a`<${Te} title="No trend yet">The trend is drawn once two exports were read.<//>`:a`<${Ca} data=${t} values=${n=>(n<10?n.toFixed(1):Math.round(
n))+" %"} unit="% of rows" min=${1} height=${200} label="Junk and invalid rows in percent, by export"
        lines=${[["junk","--c-junk",{points:{show:!0,size:5}}],["invalid","--c-invalid",{points:{show:!0,size:5}}]]} />
        <p class="small soft">Junk are zero ids, placeholders and ids of other kinds. Invalid rows have not the shape of an id. Both are left out, never sent.</p>`}<//>`}
function Mf({jobs:e,looking:t,target:n}){return a`<${X} title="Jobs" flush side=${a`<a class="small" href=${"#/jobs"+Ae({target:n})}>All jobs</a>`}>${e.length===
0?a`<${Te} title=${t?"No job found so far":"No jobs on record"} />`:a`<${Gi} jobs=${e.slice(0,20)} />${e.length>20&&a`<div class="foot">the newest 20 of ${e.length>=
200?"200 or more":Rs(e.length,t)}</div>`}`}<//>`}var _u={look:["Look for a new export now?","Look now","A worker looks at once, and takes an export that is comp\
lete."],approve:["Approve the held export?","Approve export","It is taken now, although it differs from what is expected."],reject:["Reject the held export?","R\
eject export","It is not taken. The next export is judged again."],pause:["Pause this feed?","Pause feed","No export is taken until somebody resumes it."],resume:[
"Resume this feed?","Resume feed","The newest export is taken, if it was not."]};function pr({feed:e,versions:t,way:n,onClose:s,onDone:o=()=>{}}){let[r,l]=O(""),
[d]=O(t??[]),[m,w,S]=_u[n],E=async()=>{await Pe(`/api/feeds/${encodeURIComponent(e)}/${n}`,{reason:r,versions:d}),Ke(`${w}: feed ${e}`),o()};return a`<${Ge} title=${m} act=${w} danger=${n===
"pause"||n==="reject"} ready=${n!=="pause"||r.trim()} onAct=${E} onClose=${s}>
    <p>${S}</p><${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" maxlength="1000" value=${r} onInput=${v=>l(v.
target.value)} data-first /><//>
  <//>`}function Ef({f:e,last:t,onDone:n}){let[s,o]=O("");if(!e)return a`<${X} title="Feed"><p class="soft">No feed writes to this audience: jobs are published for it.</p><//>`;
let r=e.held?["approve","reject"]:e.paused?["resume"]:["look","pause"];return a`<${X} title=${`Feed ${e.name}`}><dl class="facts">
      <dt>Takes</dt><dd class="mono small">${e.watch}</dd>
      <dt>Looks</dt><dd>${Fi(e)}</dd>
      <dt>Looked</dt><dd><${Q} at=${e.looked} /></dd>
      <dt>Expected</dt><dd>${e.late?a`by ${xi(e.late)} <span class="badge bad">late</span>`:e.next?`by ${xi(e.next)}`:"at any time"}</dd>
      <dt>Last taken</dt><dd>${e.last?a`<${Q} at=${e.last} />${e.rows>0&&`, ${L(e.rows,"row")}`}`:"nothing yet"}</dd>
      ${t&&oa(t)&&a`<dt>Changed</dt><dd><a href=${oe("jobs",t.id)}><${Es} r=${t} /></a></dd>`}
      ${e.why&&a`<dt>Now</dt><dd><${jt} text=${e.why} /></dd>`}
      ${e.paused&&a`<dt>Paused by</dt><dd>${e.paused}</dd>`}
    </dl>
    ${Be("operator")&&a`<div class="acts-line">${r.map(l=>a`<button class="small ${l==="pause"||l==="reject"?"danger":""}" onClick=${()=>o(l)}>${_u[l][1]} …</button>`)}</div>`}
    ${s&&a`<${pr} feed=${e.name} versions=${e.versions} way=${s} onClose=${()=>o("")} onDone=${n} />`}<//>`}function If({l:e}){return a`<${X} title="Ledger">${e?
a`<dl class="facts"><dt>From</dt><dd><${Q} at=${e.at} /></dd><dt>Ids</dt><dd>${C(e.count)}${e.changed&&a` <span class="tag">changed since</span>`}</dd>
      <dt>By job</dt><dd class="break"><a href=${oe("jobs",e.job)}>${e.job}</a></dd>${e.pending&&a`<dt>Changing now</dt><dd class="break"><a href=${oe("jobs",e.
pending)}>${e.pending}</a></dd>`}</dl>`:a`<p class="soft">usher keeps no ledger of this audience. The first mirror makes one: then only what has changed is sent.</p>`}<//>`}
function Of({w:e}){return e?a`<${X} title="Left out by the last mirror"><dl class="facts">
    ${e.except.map(t=>a`<dt>Members of</dt><dd><a href=${oe("audiences",t.target)}>${Xt(t)}</a>: ${L(t.count,"id")}<div class="note">as of its generation ${C(t.
generation)}, <${Q} at=${t.at} /></div></dd>`)}
    ${e.holdout&&a`<dt>Held out</dt><dd>${L(e.holdout.count,"id")}: ${e.holdout.percent} % by the key “${e.holdout.key}”<div class="note">the same people in each segment and on each day</div></dd>`}
  </dl><//>`:null}function Pf({path:e,source:t,onClose:n}){let[s,o]=O(t.includes("?…")?"":t),r=async()=>{let{id:l}=await Pe(e+"/compare",{url:s.trim()});Ke("C\
omparing: nothing is sent"),location.hash=oe("jobs",l)};return a`<${Ge} title="Compare with an export" act="Compare" wide ready=${s.trim()} onAct=${r} onClose=${n}>
    <p>Counts which ids a mirror of this export would add and remove. It is a job that sends nothing; its page opens and shows the result.</p>
    <${Oe} name="Export" hint="A file, or a folder that ends in /. It is read as the exports of this audience were read before."><input type="text" class="mono" value=${s} onInput=${l=>o(
l.target.value)} data-first /><//>
  <//>`}function zf({path:e,onClose:t}){let[n,s]=O(null),o=async()=>{throw s(await Pe(e+"/verify")),new Error("")},r=n&&n.missing+n.unexpected;return a`<${Ge} title="Check against the platform" act=${n?
"Check again":"Check"} dismiss=${n?"Close":"Cancel"} onAct=${o} onClose=${t}>
    <p>Asks the platform for about 200 ids, chosen at random, and compares them with usher's ledger. This takes calls of the limit.</p>
    ${n&&a`<${fe} level=${r?"bad":"good"} says=${r?`${C(r)} of ${C(n.asked)} answers differ`:`All ${C(n.asked)} answers agree`}
      hint=${r?`${C(n.missing)} ids are missing on the platform, ${C(n.unexpected)} are there although they should not be. The ledger is off by ${n.low.toFixed(
2)} to ${n.high.toFixed(2)} %.`:`The ledger holds ${L(n.count,"id")}.`} />`}
  <//>`}var Lf=["source.column","source.delimiter","source.encoding","maxRejectPercent"],Vi=["force","acceptChange","dryRun"];function qs(e,t=""){return Object.entries(
e??{}).flatMap(([n,s])=>s&&typeof s=="object"&&!Array.isArray(s)?qs(s,t+n+"."):[[t+n,s]])}var ra=e=>e===void 0?"not set":e===!0?"yes":e===!1?"no":Array.isArray(
e)?e.map(ra).join(", "):typeof e=="object"&&e?qs(e).map(([t,n])=>`${t} ${ra(n)}`).join(", "):String(e),Cu=(e,t)=>t.split(".").reduce((n,s)=>n?.[s],e);function Ff(e,t){
let n=/(?:--set |--)?(source\.\w+)/.exec(e.hint??"")?.[1];return n||(e.class==="not_found"?t.find(s=>s==="segment"||s==="campaign")??"":zn[e.class]?.field?zn[e.
class].field:t.find(s=>e.class==="invalid_job"&&e.message?.includes("/"+s.replaceAll(".","/")))??"")}function bo({cause:e,filter:t,onClose:n,onDone:s=()=>{}}){let[
o,r]=O(null),[l,d]=O(""),[m,w]=O(""),[S,E]=O(""),[v,T]=O(!1),[U,ne]=O(""),[ie,ye]=O(null),[le,Ve]=O(""),[an,pt]=O(!1),de=l&&m.trim()?{[l]:m.trim()}:{};Se(()=>{let ae=!1;
return Pe("/api/letters/plan",{filter:t}).then(wt=>{if(ae)return;r(wt);let yt=Ff(e,ju(wt,e));d(yt),w(yt&&yt===zn[e.class]?.field?zn[e.class].value??"":"")},wt=>ae||
Ve(wt.message)),()=>{ae=!0}},[]),Se(()=>{l&&document.querySelector("dialog[open] [data-first]")?.focus()},[o]),Se(()=>{if(!o)return;if(!Object.keys(de).length&&
!v){ye(l?null:o);return}if(ye(null),l&&!Object.keys(de).length)return;let ae=!1,wt=setTimeout(()=>Pe("/api/letters/plan",{filter:{...t,through:o.through},set:de,
force:v}).then(yt=>ae||(ye(yt),Ve("")),yt=>ae||Ve(yt.message)),250);return()=>{ae=!0,clearTimeout(wt)}},[o,l,m,v]);let $e=async()=>{await Pe("/api/letters/repla\
y",{filter:{...t,through:o.through},set:de,force:v,rate:Number(U)||0,reason:S.trim()||Wf(e,de)}),Ke(`${L(ie.count,"job")} will be ${l?"changed and ":""}replayed\
: the progress is on this page`),s()},Qt=o?ju(o,e):[],vt=l?"Fix and replay":"Replay",Bt=o&&(o.newer||v);return a`<${Ge} title="Fix and replay" wide act=${ie?`${vt}\
 ${L(ie.count,"job")}`:vt} ready=${ie?.count>0&&(!l||ie.changed>0)} onAct=${$e} onClose=${n}>
    <${fe} level="bad" says=${e.class?a`${nn(e.class)}: <${At} text=${e.message} />`:e.message} hint=${e.hint} of=${e.class} />
    ${le&&a`<${un} says=${le} />`}
    ${!o&&!le&&a`<${yn} />`}
    ${o&&a`
      <div class="pair"><${Oe} name="What to change"><select value=${l} onChange=${ae=>{d(ae.target.value),w("")}}>
          <option value="" selected=${l===""}>Nothing: it is repaired elsewhere</option>
          ${Qt.map(ae=>a`<option value=${ae} selected=${ae===l}>${Ba(ae)}</option>`)}</select><//>
        ${l&&a`<${Oe} name="New value">${Vi.includes(l)?a`<select value=${m} onChange=${ae=>w(ae.target.value)} data-first key=${l}>${[["","Choose …"],["true",
"yes"],["false","no"]].map(([ae,wt])=>a`<option value=${ae} selected=${ae===m}>${wt}</option>`)}</select>`:a`<input type="text" value=${m} onInput=${ae=>w(ae.target.
value)} data-first autofocus key=${l} />`}<//>`}</div>
      <${qf} plan=${ie??o} field=${l} value=${m.trim()} />
      ${ie?a`<${Hf} plan=${ie} field=${l} rate=${Number(U)} />`:l&&m.trim()&&!le?a`<${yn} />`:null}
      ${Bt&&a`<label class="check"><input type="checkbox" checked=${v} onChange=${ae=>T(ae.target.checked)} /><span>Replay also what a newer job has superseded: it undoes what that job did</span></label>
        ${!v&&a`<div><button type="button" class="danger small" onClick=${()=>pt(!0)}>Let them go …</button> <span class="small soft">discards what a newer job has superseded</span></div>`}`}`}
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}. May be left empty.`}><input type="text" maxlength="1000" value=${S} onInput=${ae=>E(
ae.target.value)} /><//>
    <details class="small"><summary>Pace</summary><${Oe} name="Jobs a second" hint="Empty: as fast as the limits allow."><input type="number" min="0" step="any" inputmode="decimal" placeholder="no limit" value=${U} onInput=${ae=>ne(
ae.target.value)} /><//></details>
  <//>
  ${an&&a`<${Nf} filter=${{...t,through:o.through}} onClose=${()=>pt(!1)} onDone=${()=>{n(),s()}} />`}`}function Nf({filter:e,onClose:t,onDone:n}){let[s,o]=O("s\
uperseded by a newer job"),r=async()=>{let{discarded:l}=await Pe("/api/letters/discard",{filter:e,superseded:!0,reason:s});Ke(`${L(l,"letter")} let go`),n()};return a`<${Ge} title="Let go what newer jobs have superseded?" act="Let them go" danger ready=${s.
trim()} onAct=${r} onClose=${t}>
    <p>Their letters are discarded for good, and the other letters stay. What the newer jobs did stays as it is.</p>
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${s} onInput=${l=>o(l.target.
value)} data-first /><//>
  <//>`}function ju(e,t){let n=e.sample[0]?.before,s=qs(n).map(([r])=>r).filter(r=>!["id","v","source.ids"].includes(r)),o=zn[t.class]?.field;return[...new Set(
[...s,...n?.source?Lf:[],...o?[o]:[]])]}var Wf=(e,t)=>{let[[n,s]=[]]=Object.entries(t);return`${n?`${Ba(n)} set to ${Vi.includes(n)?ra(s==="true"):s}`:"repaired\
 elsewhere"}: ${e.message}`.slice(0,300)};function qf({plan:e,field:t,value:n}){return e.sample.length===0?null:a`<table class="cards diff"><thead><tr><th>Sample</th>${t?
a`<th>Now</th><th>Then</th>`:a`<th>Job</th>`}</tr></thead><tbody>
    ${e.sample.map(s=>a`<tr key=${s.seq}><td class="break">${s.id??`letter ${s.seq}`}</td>
      ${t?a`<td class="break" data-name="Now"><del>${ra(Cu(s.before,t))}</del></td><td class="break" data-name="Then">${n?a`<ins>${s.fields.length?ra(Cu(s.after,
t)):Vi.includes(t)?ra(n==="true"):n}</ins>`:a`<span class="faint">type the new value</span>`}</td>`:a`<td class="break whole small soft">${qs(s.before).filter(([
o])=>!["id","v"].includes(o)).slice(0,5).map(([o,r])=>`${Ba(o)} ${ra(r)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`}function Hf({plan:e,field:t,rate:n}){let s=Math.
max(e.seconds,n>0?e.count/n:0);return a`<p><b>${L(e.count,"job")}</b> will be ${t?"changed and published again":"published again as they are"}${s>10?`; this tak\
es at least ${cn(s)}`:""}. Uploads continue where they stopped${t?", unless what they read changes":""}.</p>
    ${e.refused>0&&a`<${fe} level="warn" says=${`${L(e.refused,"letter")} stay as they are: this value is not possible there`} hint=${a`<${jt} text=${e.says} />`} />`}
    ${e.skipped>0&&a`<${fe} level="warn" says=${`${L(e.skipped,"letter")} skipped`}>${e.reasons.slice(0,4).map(o=>a`<div class="small break"><b>${C(o.count)}</b>: <${jt} text=${o.
why} />${o.count===1&&e.skipped<=e.left.length&&a` (${e.left.find(r=>r.why===o.why)?.id??"no id"})`}</div>`)}
      ${e.reasons.length>4&&a`<div class="small">and ${L(e.reasons.length-4,"other reason")}</div>`}<//>`}`}function Uf({w:e}){return e.gone?a`<span class="faint">nothing</span>`:e.jobs.length===0?a`<span class="soft">waits for jobs</span>`:a`<div>${e.jobs.slice(0,4).
map(t=>a`<div class="small break"><a href=${oe("jobs",t)}>${t}</a></div>`)}${e.jobs.length>4&&a`<div class="small faint">and ${C(e.jobs.length-4)} more</div>`}</div>`}
function Bf({w:e}){return e.gone?e.stopped?a`<span class="badge">stopped</span>`:a`<span class="badge bad">gone</span>`:Object.keys(e.slots??{}).length===0?a`<span class="badge warn">stopping</span>`:
e.down?a`<span class="badge bad">${e.refused?"login refused":"platform down"}</span>`:a`<span class="badge good">works</span>`}var Jf=[{key:"name",title:"Worker",
card:!1,value:e=>e.name,cell:e=>a`<span class="strong break">${e.name}</span>`},{key:"state",title:"State",value:e=>Number(e.gone),cell:e=>a`<${Bf} w=${e} />${e.
gone&&a`<div class="note">last heard <${Q} at=${e.heard} /></div>`}`},{key:"doing",title:"Does",cell:e=>a`<${Uf} w=${e} />`},{key:"slots",title:"Slots by lane",
cell:e=>a`<div class="small">${Object.entries(e.slots??{}).filter(([,t])=>t>0).map(([t,n],s)=>a`${s>0&&", "}<span class="nowrap">${t} ${C(n)}</span>`)}</div>`},
{key:"version",title:"Version",value:e=>e.version,cell:e=>a`<span class="small break">${e.version||"older"}</span>`},{key:"memory",title:"Memory",num:!0,value:e=>e.
memory||null,cell:e=>e.memory?_s(e.memory):a`<span class="faint none">–</span>`},{key:"since",title:"Since",num:!0,value:e=>e.since&&Date.parse(e.since),cell:e=>a`<${Q} at=${e.
since} />`}];function Su(){let e=we("/api/workers");Se(()=>{let r=setInterval(()=>document.hidden||e.reload(),1e4);return()=>clearInterval(r)},[]);let t=e.data?.
workers??[],n=[...new Set(t.filter(r=>!r.gone).map(r=>r.version))],s=t.filter(r=>r.gone&&r.stopped).length,o=t.filter(r=>r.gone&&!r.stopped).length;return a`<${X} title="Workers" flush><${ut} result=${e}>${()=>a`
    ${n.length>1&&a`<${fe} level="warn" says=${`${C(n.length)} versions run at the same time`} hint="This is right during an update, and not for longer." />`}
    ${t.length===0?a`<${Te} title="No worker answers">Jobs wait until one is started.<${xa}>usher run<//><//>`:a`<${Ws} label="Workers" columns=${Jf} rows=${t} params=${{}} id=${r=>r.
name} /><div class="foot">${L(t.length-o-s,"worker")}${s>0?`, ${C(s)} stopped`:""}${o>0?`, ${C(o)} gone`:""}</div>`}`}<//><//>`}var Gf=15*6e4,Tu=new Set;function vo(){let e=we("/api/replays",["replays"]),[,t]=O(0),n=ct();return(e.data?.replays??[]).filter(o=>!Tu.has(o.id)&&(!o.finished||
n-new Date(o.finished)<Gf)).map(o=>a`<${Vf} key=${o.id} r=${o} onHide=${()=>{Tu.add(o.id),t(r=>r+1)}} />`)}function Kf(e){return e.error?"Replay failed":e.stopped?
"Replay stopped":e.finished?"Replay finished":e.report.planned===0&&e.report.changed>0?"Changing the jobs …":"Replaying …"}function Vf({r:e,onHide:t}){let n=e.
report,s=Math.max(n.planned,1),o=e.finished&&!e.stopped&&!e.error;return a`<section class="card"><div class="body replay">
    <div class="head"><b class="title">${Kf(e)}</b>
      <span class="soft">by ${e.by}, <${Q} at=${e.started} />${e.rate?`, ${dn(e.rate)} a second`:""}</span>
      ${!e.finished&&Be("operator")&&a`<button class="small danger" onClick=${()=>Pe(`/api/replays/${e.id}/stop`).catch(r=>Ke(r.message,!0))}>Stop</button>`}
      ${e.finished&&a`<button class="small bare" onClick=${t}>Hide</button>`}</div>
    <progress max=${s} value=${o?s:n.replayed+n.skipped} aria-label="Replayed"></progress>
    <div class="small soft">${n.changed>0&&`${L(n.changed,"job")} changed, `}${C(n.replayed)} of ${C(n.planned)} replayed${n.skipped?`, ${C(n.skipped)} skipped`:
""}${e.stopped?"; the other letters were kept":""}</div>
    ${n.replayed>0&&e.finished&&a`<${Yf} p=${n} />`}
    ${n.left?.length>0&&a`<details class="small"><summary>Why letters were skipped</summary>${n.left.map(r=>a`<div class="break">${r.id??`letter ${r.seq}`}: ${r.
why}</div>`)}</details>`}
    ${e.error&&a`<${fe} level="bad" says=${e.error} />`}
  </div></section>`}function Yf({p:e}){let t=Math.max(0,e.replayed-e.done-e.failedAgain-e.cancelled);return a`<div class="small"><span class="good-ink">${C(e.done)} done</span>${t>
0&&a`, <span class="soft">${C(t)} not ended yet</span>`}${e.cancelled>0&&`, ${C(e.cancelled)} cancelled`}${e.failedAgain>0&&a`, <a class="bad-ink strong" href=${"\
#/letters"+Ae({replay:e.name})}>${C(e.failedAgain)} failed again</a>`}</div>`}var Yi=100;function hr({title:e,days:t,lines:n,legend:s}){if(n.length===0)return null;let o=matchMedia("(max-width: 700px)").matches?3:8;return a`<${X} title=${e} side=${a`<span class="faint small">point at a cell to see why</span>`}>
    <div class="days" tabindex="0" role="region" aria-label=${e} style=${`--days: ${t.length}`}>${n.slice(0,Yi).map(([r,l])=>a`<b class="small" title=${r}>${r}</b>${l.
map(d=>a`<span class="cell ${d.look}" title=${d.title}>${d.text}</span>`)}`)}
      <i></i>${t.map((r,l)=>a`<span class="small faint">${l%Math.ceil(t.length/o)===0?r.slice(5):""}</span>`)}</div>
    <div class="small faint">${s.map(([r,l])=>a`<span class="cell ${r}"></span> ${l} `)}${n.length>Yi&&`· ${C(n.length-Yi)} more lines are not shown`}</div><//>`}
function fr(e,t,n){let s=new Map;for(let o of e){s.has(t(o))||s.set(t(o),new Map);let r=s.get(t(o));r.set(n(o),[...r.get(n(o))??[],o])}return s}var Du=e=>new Date(ct()-e*864e5).toISOString().slice(0,10);function Au({params:e}){let t=we("/api/rules"),n=[...new Set((t.data?.rules??[]).map(v=>v.file))],s=e.
file??n[0]??"",[o,r]=O(e.from??Du(31)),[l,d]=O(e.to??Du(1)),[m,w]=O({}),S=async v=>{w({busy:!0});try{w({outcome:await ta("/api/rules/backtest"+Ae(v))})}catch(T){
w({error:T.message})}};Se(()=>{e.file&&e.from&&e.to&&S(e)},[e.file,e.from,e.to]);let E=v=>{v.preventDefault();let T={file:s,from:o,to:l};e.file===s&&e.from===o&&
e.to===l?S(T):et(T)};return a`<${Je} title="Backtest" crumb=${a`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing was changed.">
    <form class="filters" onSubmit=${E}>
      <${Jn} label="Rule file" value=${s} onPick=${v=>et({file:v,from:"",to:""})} options=${n.map(v=>[v,v])} />
      <input class="date" type="date" aria-label="First day" required value=${o} onInput=${v=>r(v.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${l} onInput=${v=>d(v.target.value)} />
      <button class="primary" disabled=${m.busy||!s}>${m.busy?"Reading reports …":"Run"}</button>
    </form>
    ${m.error&&a`<${un} says=${m.error} />`}
    ${m.busy&&a`<div class="card"><${yn} /></div>`}
    ${m.outcome&&a`<${Zf} o=${m.outcome} />`}
    ${!m.outcome&&!m.busy&&!m.error&&a`<div class="card"><${Te} title="Choose days">The rules are evaluated once for each day, on the platform's reports.<//></div>`}
  <//>`}function Zf({o:e}){let t=e.summary;return a`${t.spend===0&&a`<${fe} level="warn" says="The reports have no spend of these days" hint="So the rules have nothing to decide on, and nothing to save. Choose days with reports." />`}
    <div class="figures">
      <${St} name="Saved" meaning=${We.saved} value=${dn(t.saved)} note=${`${t.atMost&&t.saved>0?"at most, ":""}of ${dn(t.spend)} spent`} />
      <${St} name="Pauses" meaning=${We.pauses} value=${C(t.pauses)} note=${L(t.resumes,"resume")} />
      <${St} name="Held" meaning=${We.held} value=${C(t.held)} note=${t.unknown>0?`and ${C(t.unknown)} unknown`:"by limits and guards"} />
      <${St} name="Missed clicks" meaning=${We.missed} value=${Un(t.missed.clicks)} note=${`${Un(t.missed.impressions)} impressions`} />
    </div>
    ${t.byNumber&&a`<${Qf} all=${t.byNumber} />`}
    ${t.byDay.length>1&&a`<${Xf} days=${t.byDay} key=${t.from+t.to} />`}
    <${Ru} title="Creatives by day" days=${t.byDay} decisions=${e.decisions.filter(n=>!n.bidding)} />
    <${Ru} title="Budgets and bids by day" days=${t.byDay} decisions=${e.decisions.filter(n=>n.bidding)} />
    <${X} title="By rule" flush><${rt} name="rules" rows=${t.rules} columns=${[["Rule",n=>n.rule],["Saved",n=>n.saved,!0],["Pauses",n=>n.pauses,!0],["Resumes",n=>n.
resumes,!0],...t.byNumber?[["Decreases",n=>n.decreases,!0],["Increases",n=>n.increases,!0]]:[],["Held",n=>n.held,!0]]}>${n=>a`<tr><td class="strong break">${n.rule}</td><td class="num" data-name="Saved">${dn(
n.saved)}</td><td class="num" data-name="Pauses">${C(n.pauses)}</td><td class="num" data-name="Resumes">${C(n.resumes)}</td>${t.byNumber&&a`<td class="num" data-name="Decreases">${C(
n.decreases)}</td><td class="num" data-name="Increases">${C(n.increases)}</td>`}<td class="num" data-name="Held">${C(n.held)}</td></tr>`}<//>
      ${t.readAsAct&&a`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${t.readAsAct.join(", ")}</div>`}
      ${t.withoutHours&&a`<div class="foot">active_hours were ignored. Rules with them: ${t.withoutHours.join(", ")}</div>`}
      ${t.atMost&&t.saved>0&&a`<div class="foot">Saved is at most this for rules with resume_when, which see the report's spend also while they pause: ${t.atMost.
join(", ")}</div>`}
      ${t.wholeDay&&a`<div class="foot">The window today was the report's row of the whole day. Rules with it: ${t.wholeDay.join(", ")}</div>`}<//>
    <${X} title="What would have changed" flush>${e.decisions.length===0?a`<${Te} title="No rule would have changed anything">${t.unknown>0&&`${L(t.unknown,"dec\
ision")} could not be made: the reports lack what the conditions read.`}<//>`:a`<${rt} rows=${e.decisions.slice(0,300)} columns=${[["Day",n=>n.date],["Subject",
n=>n.creative||n.campaign],["Action",n=>n.action],["Why",n=>n.rule]]}>${n=>a`<tr><td class="nowrap">${n.date}</td><td class="break"><${ja} d=${n} /></td>
          <td><${Ps} is=${n.action} /></td><td class="whole break">${n.reason}<div class="note">${n.rule}</div></td></tr>`}<//>
        ${e.decisions.length>300&&a`<div class="foot">The first 300 of ${C(e.decisions.length)}</div>`}`}<//>`}function Xf({days:e}){let t=Zt(()=>[e.map(n=>Date.
parse(n.date)/1e3),e.map(n=>n.spend),e.map(n=>n.saved)],[e]);return a`<${X} title="Spend by day" side=${a`<span class="faint small">in the account's currency</span>`}>
    <${Ca} data=${t} values=${Un} height=${220} unit="spend" label="Spend by day, and what the rules would have saved"
      lines=${[["spent","--c-suppressed"],["would have been saved","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Qf({all:e}){return a`<${X} title="Budgets and bids" flush><${rt} name="numbers" rows=${e} columns=${[
["Campaign",t=>t.campaign],["Would have set",t=>t.change.to],["Decreases",t=>t.decreases,!0],["Increases",t=>t.increases,!0],["Held",t=>t.held,!0]]}>${t=>a`<tr><td class="strong break">${t.
campaign}<div class="note">${wn[t.change.field]}</div></td><td>${t.decreases+t.increases>0?zs(t.change):`stays ${zs({...t.change,to:t.change.from})}`}</td>
      <td class="num" data-name="Decreases">${C(t.decreases)}</td><td class="num" data-name="Increases">${C(t.increases)}</td><td class="num" data-name="Held">${C(
t.held)}</td></tr>`}<//>
    <div class="foot">What would have been spent with them is unknown: spend is as reported.</div><//>`}function Ru({title:e,days:t,decisions:n}){let s=[...fr(n,
r=>r.bidding?`${r.campaign} ${wn[r.bidding.field]}`:r.creative,r=>r.date)],o=[["pause","paused"],["decrease","decreased"],["increase","increased"],["held","held\
 back"]].filter(([r])=>n.some(l=>l.action===r));return a`<${hr} title=${e} days=${t.map(r=>r.date)} legend=${o} lines=${s.map(([r,l])=>[r,em(t,l)])} />`}function em(e,t){
let n=!1;return e.map(s=>{let o=t.get(s.date)?.at(-1);return(o?.action==="pause"||o?.action==="resume")&&(n=o.action==="pause"),{look:n?"pause":o&&o.action!=="r\
esume"?o.action:"",title:o?`${o.date}: ${o.action} by ${o.rule}: ${o.reason}`:`${s.date}: ${n?"still paused":"no change"}`,text:o?.bidding&&o.action!=="held"&&e.
length<=14?o.bidding.to:""}})}var Zi=({s:e})=>a`kept by ${e.by||"somebody"} until ${e.until?a`<time datetime=${e.until}>${zt(e.until)}</time>`:"released"}`;function Xi({s:e}){return e?a`<div class="note warn-ink"><${Zi} s=${e} />${e.
reason&&`: ${e.reason}`} <span class="faint">(<${Q} at=${e.at} />)</span></div>`:null}var Ka="date",Mu=[["2h","for 2 hours"],["tomorrow","until tomorrow"],["mon\
day","until Monday"],["released","until somebody hands it back"],[Ka,"until a date …"]];function Qi({until:e,onUntil:t,required:n}){let s=Mu.some(([r])=>r===e),
o=e===""||s?e:Ka;return a`<${Oe} name="Rules" hint="A day begins in the time zone of the account's rules. While they leave it alone, no cap stops it.">
      <select value=${o} onChange=${r=>t(r.target.value)}>
        ${!n&&a`<option value="" selected=${o===""}>may change it at once</option>`}
        ${Mu.map(([r,l])=>a`<option value=${r} selected=${o===r}>leave it alone ${l}</option>`)}
      </select><//>
    ${o===Ka&&a`<${Oe} name="Until the beginning of"><input type="date" required value=${s?"":e} onInput=${r=>t(r.target.value||Ka)} /><//>`}`}function mr({code:e,
campaign:t="",kept:n,what:s="it",onDone:o=()=>{}}){let[r,l]=O("");return Be("operator")?a`<button class="small" onClick=${()=>l(n?"release":"keep")}>${n?"Hand b\
ack to rules …":`Keep rules from ${s} …`}</button>
    ${r&&a`<${tm} code=${e} campaign=${t} way=${r} what=${s} onClose=${()=>l("")} onDone=${o} />`}`:null}function tm({code:e,campaign:t,way:n,what:s,onClose:o,onDone:r}){
let[l,d]=O(""),[m,w]=O("tomorrow"),S=n==="keep",E=s==="it"?e:`the ${s} of ${e}`,v=async()=>{await Pe(`/api/rules/${n}`,S?{code:e,campaign:t,until:m,reason:l}:{code:e,
reason:l}),Ke(S?`Rules leave ${E} alone`:`Rules may change ${E} again`),r()};return a`<${Ge} title=${S?`Keep rules from ${E}?`:`Hand ${E} back to rules?`} act=${S?
"Keep":"Hand back"} ready=${l.trim()&&(!S||m!==Ka)} onAct=${v} onClose=${o}>
    <p>${S?"Rules leave it as it is, whoever has changed it: somebody here, or somebody on the platform itself.":"The next run of each rule decides on it again."}</p>
    ${S&&a`<${Qi} until=${m} onUntil=${w} required />`}
    <${Oe} name="Reason" hint="Shown beside it, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${l} onInput=${T=>d(
T.target.value)} data-first /><//>
  <//>`}var nm=e=>{let t=e.jobs?.length>0?mo(e):0,n=js(e);return t?`${L(t,"change")} of this run ${t===1?"has its job":"have their jobs"}, and ${C(n)} ${n===1?"waits":"\
wait"} for approval`:"This run waits for approval"},am=({run:e})=>["approved","rejected"].includes(e.state)?a`<${fe} level=${e.state==="approved"?"good":""} says=${a`${e.
state==="approved"?"Approved":"Rejected"} by ${e.by||"somebody"}, <${Q} at=${e.judged??e.at} />`} hint=${`It was held: ${e.why}`} />`:a`<${fe} says=${e.why} />`,
sm={failed:["bad","It decided nothing: its job failed"],cancelled:["","It decided nothing: its job was cancelled"],done:["","No decisions of it are on record","\
Its job says so if no rule was in scope. A run that changed nothing is kept for two days."]};function om({id:e,job:t}){let[n,s,o]=sm[t.state]??["","It has not d\
ecided yet","This page shows its decisions as soon as there are some."];return a`<${fe} level=${n} says=${s} hint=${o}><div class="acts-line"><a class="button small" href=${oe(
"jobs",e)}>Its job</a></div><//>`}function Ou({id:e}){let t=we("/api/rules/runs/"+encodeURIComponent(e),["rules","job "+e]),[n,s]=O(""),o=t.data?.run,r=o?.state===
"held",l=o&&Be("operator")&&a`
    ${r&&a`<button class="primary" onClick=${()=>s("approve")}>Approve …</button><button class="danger" onClick=${()=>s("reject")}>Reject …</button>`}
    ${o.jobs?.length>0&&!t.data.undone.length&&a`<button onClick=${()=>s("undo")}>Undo …</button>`}`;return a`<${Je} title=${e} crumb=${a`<a href="#/rules">Rules</a>`} sub=${o&&
a`<${Os} is=${o.state} /> ${o.undoOf?`undoes ${o.undoOf}`:o.file} · ${Sa(o)}`} acts=${l}>
    <${ut} result=${t}>${d=>d.run===null?a`<${om} id=${e} job=${d.job} />`:a`
      ${d.undone.map(m=>a`<${fe} key=${m.id} says=${a`Undone by ${m.by||"somebody"}, <${Q} at=${m.at} />`}><div class="acts-line"><a class="button small" href=${oe(
"rules","runs",m.id)}>What was undone</a></div><//>`)}
      ${r&&a`<${fe} level="warn" says=${nm(d.run)} hint=${d.run.why} />`}
      ${d.run.warnings?.length>0&&a`<${fe} level="warn" says=${$o(d.run)?"The stop switch held back changes of this run":`${L(d.run.warnings.length,"change")} n\
ot carried out by the approval`}><ul class="small">${d.run.warnings.slice(0,20).map(m=>a`<li class="break">${m.description}</li>`)}</ul><//>`}
      ${!r&&d.run.why&&a`<${am} run=${d.run} />`}
      <div class="grid two-one">
        <${rm} run=${d.run} all=${d.decisions} more=${d.more} />
        <${X} title="Facts"><dl class="facts">
          <dt>Account</dt><dd>${d.run.account}</dd>
          <dt>As of</dt><dd>${zt(d.run.asOf)}</dd>
          <dt>Decided</dt><dd><${Q} at=${d.run.at} /></dd>
          ${d.run.by&&a`<dt>By</dt><dd>${d.run.by}${d.run.reason&&`: ${d.run.reason}`}</dd>`}
          ${d.run.jobs?.length>0&&a`<dt>Jobs</dt><dd>${d.run.jobs.slice(0,20).map(m=>a`<div class="break"><a href=${oe("jobs",m)}>${m}</a></div>`)}</dd>`}
        </dl><//></div>`}<//>
    ${n&&a`<${wo} id=${e} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}var Pu=(e,t)=>e.state!=="approved"&&(!e.approvals?.length||e.approvals.at(-1).waiting.includes(Hs(t))),Eu=(e,t)=>fo(t)&&!t.left&&!Pu(e,t);function rm({run:e,
all:t,more:n}){return a`<${X} title="Decisions" flush>${t.length===0?a`<${Te} title="Nothing to change">What stays as it is is counted but not listed.<//>`:a`<${rt} rows=${Ls(
t)} columns=${[[t.every(s=>s.bidding)?"Number":"Creative",s=>s.creative||s.campaign],["Action",s=>s.action],["Why",s=>s.rule]]}>${s=>a`<tr key=${s.key}>
        <td><${ja} d=${s} /></td>
        <td><${Ps} is=${Eu(e,s)?s.wants:s.action} />${Eu(e,s)?a`<div class="note">approved</div>`:s.wants&&a`<div class="note">would ${s.wants}${s.left?", left \
out of the approval":s.guard&&s.guard!=="approval"?`, held by ${s.guard}`:""}</div>`}${s.notice&&a`<div class="note">notifies</div>`}</td>
        <td class="whole"><${zu} d=${s} /></td></tr>`}<//>
      ${n>0&&a`<div class="foot">${C(n)} more, which the command <code>usher rules runs show</code> lists</div>`}`}<//>`}function zu({d:e}){return a`<div class="break">${Fs(
e)}</div><${Ga} metrics=${e.metrics} />
    ${e.values?.length>0&&a`<details class="small"><summary>${L(e.values.length,"step")} of ${e.rule}</summary>
      ${e.values.map(t=>a`<div class="break"><code>${t.expression}</code> = ${isNaN(t.result)?t.result:dn(Number(t.result))}</div>`)}</details>`}`}var im={approve:[
"Approve this run?","Approve","What is still wanted below is carried out now, by one job for each campaign: by the same rule and the same days, and by the repor\
t as it is now."],reject:["Reject this run?","Reject","Its decisions are not carried out. The next run decides again."],undo:["Undo this run?","Undo","Creatives\
 that this run paused are resumed, and vice versa, and budgets and bids are set back, unless somebody has changed them since."]},Hs=e=>`${e.campaign}/${e.bidding?.
field??e.creative}`,Iu=({d:e})=>e.parts?a`<b>${e.wants}</b> <${ja} d=${e} />`:a`<b>${e.wants}</b> ${e.bidding?`${wn[e.bidding.field]} ${zs(e.bidding)}`:e.creative}<div class="note">${e.
campaign}</div>`,lm=({s:e})=>a`<p><b>Spend at stake: ${Object.entries(e.gross).map(([t,n])=>`${lo(n)} ${t}`).join(", ")||"nothing"}</b> <span class="soft">spent on what would change, from ${e.
from} to ${e.to}</span></p>`,dm=({d:e,of:t})=>[...new Map((e.parts??[e]).map(n=>t?.[Hs(n)]).map(n=>[JSON.stringify(n),n])).values()].slice(0,5).map(n=>a`<${cm} s=${n} />`);
function cm({s:e}){return!e||e.is==="wanted"?null:a`<div class="note warn-ink">${e.is==="unknown"?"Cannot be decided now, and stays held":"No longer wanted, and\
 is left out"}: ${e.why}</div>`}function um({id:e,left:t,setLeft:n}){let s=we(`/api/rules/runs/${encodeURIComponent(e)}/review`),o=we("/api/rules/runs/"+encodeURIComponent(
e)),r=d=>(d.parts??[d]).every(m=>t.includes(Hs(m))),l=d=>{let m=(d.parts??[d]).map(Hs);n(r(d)?t.filter(w=>!m.includes(w)):[...t,...m])};return a`<${ut} result=${o}>${({
run:d,decisions:m})=>{let w=m.filter(E=>fo(E)&&!E.left&&Pu(d,E)),S=m.filter(E=>E.action==="held"&&!fo(E));return a`${s.data?.wrong?a`<${fe} level="bad" says="This run cannot be approved" hint=${s.
data.wrong} />`:s.data?.stake?a`<${lm} s=${s.data.stake} />`:s.error?a`<${fe} level="warn" says="It is not known whether its changes are still wanted" hint=${s.
error} />`:a`<p class="soft">Deciding again by the report as it is now …</p>`}
      <p class="soft">Held <${Q} at=${d.at} /> · ${d.why}</p>
      <div class="scroll block">${w.length>0&&a`<table class="tight"><thead><tr><th class="tick"><span class="sr">Approve</span></th><th>What would change</th><th>Rule and reason</th></tr></thead><tbody>
      ${Ls(w).map(E=>a`<tr key=${E.key}><td class="tick"><input type="checkbox" aria-label=${`Approve ${E.wants} of ${E.parts?`all ${E.parts.length} together`:Hs(
E)}`} checked=${!r(E)} onChange=${()=>l(E)} /></td><td class="break"><${Iu} d=${E} /></td>
        <td class="break">${E.rule}<div class="note">${Fs(E)}</div><${dm} d=${E} of=${s.data?.standing} /></td></tr>`)}</tbody></table>`}
      ${S.length>0&&a`<table class="tight"><thead><tr><th>Not carried out by an approval</th><th>Rule and reason</th></tr></thead><tbody>
      ${Ls(S).map(E=>a`<tr key=${E.key}><td class="break"><${Iu} d=${E} /></td><td class="break">${E.rule}<div class="note">${Fs(E)}</div></td></tr>`)}</tbody></table>`}</div>`}}<//>`}
async function pm(e,t){let{decisions:n,more:s}=await ta("/api/rules/runs/"+encodeURIComponent(e));if(s)throw new Error("This run has too many decisions to appro\
ve it in part on this page: approve or reject it whole.");return n.filter(fo).map(Hs).filter(o=>!t.includes(o))}function wo({id:e,way:t,onClose:n,onDone:s}){let[
o,r]=O(""),[l,d]=O([]),[m,w,S]=im[t],E=async()=>{let{undo:v,left:T,warnings:U,state:ne}=await Pe(`/api/rules/runs/${encodeURIComponent(e)}/${t}`,l.length?{reason:o,
only:await pm(e,l)}:{reason:o});if(U?.length)Ke(`Run ${e} is ${ne==="held"?"approved in part":"approved"}. Not carried out: ${L(U.length,"change")}; ${U[0].description}`);else if(t!==
"undo")Ke(`Run ${e} is ${w.toLowerCase()}${w.endsWith("e")?"d":"ed"}`);else if(v)Ke(`Undoing run ${e}${T.length?`; ${T.length} not changed: ${T[0]}`:""}`);else throw new Error(
`There is nothing to undo${T.length?": "+T[0]:""}`);s()};return a`<${Ge} title=${m} act=${w} wide=${t==="approve"} danger=${t!=="approve"} ready=${t!=="undo"||o.
trim()} onAct=${E} onClose=${n}>
    <p>${S}</p>
    ${t==="approve"&&a`<${um} id=${e} left=${l} setLeft=${d} />${l.length>0&&a`<p class="warn-ink">${L(l.length,"change")} left out: dropped, and not carried out.</p>`}`}
    <${Oe} name="Reason" hint="Recorded with the run and your name."><input type="text" maxlength="1000" value=${o} onInput=${v=>r(v.target.value)} data-first /><//>
  <//>`}var hm=e=>e===!1?"The rule has no resume_when, so it does not resume it: it stays paused until a person resumes it.":e?"Nobody has changed it since, so \
the rule may resume it.":"No worker uses this rule now. It resumes the creative only if it has resume_when or active_hours, and nobody else changes it.";function Lu({
creative:e}){let t=we("/api/rules/why/"+encodeURIComponent(e),["audit","rules"]);return a`<${Je} title=${e} crumb=${a`<a href="#/rules">Rules</a> · why`} sub=${t.
data?.campaigns?.includes(e)?"What was changed on the budget and the bid of this campaign, what was decided but not changed, and why.":"What was changed on this\
 creative, what was decided but not changed, and why."} acts=${t.data&&a`<${mr} code=${e} campaign=${t.data.campaigns?.[0]} kept=${t.data.kept} onDone=${t.reload} />`}>
    <${ut} result=${t}>${n=>a`
      ${n.owner&&a`<${fe} level="warn" says=${`Paused by the rule ${n.owner.file}/${n.owner.rule}`} hint=${hm(n.resumes)} />`}
      ${n.kept&&a`<${fe} level="warn" says=${a`Rules leave it alone: <${Zi} s=${n.kept} />`} hint=${n.kept.reason}><${xa}>usher rules release ${n.creative}<//><//>`}
      <${X} title="Rules that may change it">${n.rules.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${n.rules.map(s=>a`<li><a href=${"#/rules"+Ae(
{text:s.name})} class="break">${s.name}</a> <span class="tag">${Cs(s.mode)}</span><${Ns} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>
      <${X} title="History">${n.pages.length===0?a`<${Te} title="No history">Neither a rule nor a person has changed it through usher.<//>`:a`<ul class="line">${[
...n.pages].reverse().map(s=>a`<${fm} p=${s} />`)}</ul>`}<//>`}<//>
  <//>`}function fm({p:e}){if(e.audit){let n=e.audit;return a`<li class=${n.after==="ACTIVE"||n.bidding?.to>n.bidding?.from?"good":"warn"}><b>${n.bidding?wn[n.bidding.
field]+" ":""}${Ut(n.before)} → ${Ut(n.after)}</b>${n.after!==n.wanted?a` <span class="bad-ink">(wanted ${Ut(n.wanted)})</span>`:""}
      <div class="soft break">${[n.rule||n.actor,e.approval?.wanted??n.reason].filter(Boolean).join(": ")}</div>${e.approval&&a`<div class="soft break">approved by ${[
e.approval.by,e.approval.reason].filter(Boolean).join(": ")}</div>`}<${Ga} metrics=${n.metrics} />
      <div class="small faint"><${Q} at=${e.at} />${n.job&&a` · job <a href=${oe("jobs",n.job)}>${n.job}</a>`}</div></li>`}let t=e.decision;return a`<li class="info"><b>${t.
bidding?wn[t.bidding.field]+": ":""}${t.action==="none"?"not changed":t.action}${t.wants?`, wanted ${t.wants}`:""}</b> <span class="soft">by ${t.rule?`${e.file}\
/${t.rule}`:e.by}</span>
    <${zu} d=${t} />${e.outcome&&a`<div class="soft break">${e.outcome}</div>`}<div class="small faint"><${Q} at=${e.at} /> · run <a href=${oe("rules","runs",e.
evaluation)}>${e.evaluation}</a>${e.by?` · ${e.state} by ${e.by}`:""}</div></li>`}function Fu({names:e,params:t}){let[n,s]=e;return n==="runs"&&s?a`<${Ou} id=${s} key=${s} />`:n==="why"&&s?a`<${Lu} creative=${s} key=${s} />`:n==="backtest"?a`<${Au} params=${t} />`:
a`<${mm} params=${t} />`}function mm({params:e}){let t=we("/api/rules",["rules","overview"]),[n,s]=O(""),o=t.data?.stopped,r=t.data&&a`${t.data.rules.length>0&&
a`<a class="button" href="#/rules/backtest">Backtest …</a>`}
    ${o==null?Be("operator")&&a`<button class="danger" onClick=${()=>s("stop")}>Stop all campaign actions …</button>`:Be("admin")&&a`<button class="primary" onClick=${()=>s(
"start")}>Start campaign actions …</button>`}`;return a`<${Je} title="Rules" sub="Rules that change creatives, budgets and bids automatically, and the switch that stops all campaign actions." acts=${r}>
    <${ut} result=${t}>${l=>a`
      <${$m} stopped=${l.stopped} />
      <${gm} runs=${l.runs.filter(d=>d.state==="held")} rules=${l.held} />
      <${bm} week=${l.week} rules=${l.rules} runs=${l.runs} />
      <${vm} files=${[...new Set(l.rules.map(d=>d.file))]} />
      <${xm} rules=${l.rules} text=${e.text} />
      <${Sm} runs=${l.runs} />`}<//>
    ${n&&a`<${el} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}function $m({stopped:e}){return e==null?a`<${fe} level="good" says="Campaign actions are on" hint="Changes by rules and by hand are carried out." />`:a`<${fe} level="bad" says=${`\
Campaign actions are stopped${e?": "+e:""}`} hint="No creative, budget or bid is changed. Jobs that come meanwhile end without a change." />`}function gm({runs:e,
rules:t}){let n=r=>{let l=t[r.id];return l?`${l.rules.length>1?"Rules":"Rule"} ${l.rules.join(", ")} of the file ${r.file}, for ${l.campaigns.slice(0,3).join(",\
 ")}${l.campaigns.length>3?` and ${C(l.campaigns.length-3)} more`:""}`:`A run of the file ${r.file}`},[s,o]=O("");return a`${e.map(r=>a`<${fe} key=${r.id} level="warn" says=${a`${n(
r)}: ${Sa(r)}${js(r)===(r.counts?.held??0)&&mo(r)===0?", waiting for approval":","} <${Ts} at=${r.at} />`} hint=${r.why}>
      <div class="acts-line">${Be("operator")&&a`<button class="primary small" onClick=${()=>o(r.id)}>Approve …</button>`}<a class="button small" href=${oe("r\
ules","runs",r.id)}>Details</a></div><//>`)}
    ${s&&a`<${wo} id=${s} way="approve" onClose=${()=>o("")} onDone=${()=>{}} />`}`}function bm({week:e,rules:t,runs:n}){if(t.length===0)return null;let s=m=>e.
reduce((w,S)=>w+S[m],0),o=ct()-7*864e5,r=n.filter(m=>$o(m)&&Date.parse(m.at)>o).length,l=Pn(o),d=Pn(ct()-864e5);return a`<${X} title="This week" flush side=${a`<span class="faint small">the last seven days</span>`}>
    ${e.length===0?a`<${Te} title="The rules changed nothing">No rule has paused or resumed anything, nothing waits, and each rule can decide.<//>`:a`<${rt} name="week" rows=${e} columns=${[
["Rule",m=>m.rule],["Paused",m=>m.pauses,!0],["Resumed",m=>m.resumes,!0],["Budgets, bids",m=>m.numbers,!0],["Waits",m=>m.held,!0],["Cannot decide on",m=>m.blind,
!0]]}>${m=>a`<tr key=${m.rule}>
        <td class="strong break"><a href=${"#/rules"+Ae({text:m.rule})}>${m.rule}</a></td>
        <td class="num" data-name="Paused">${C(m.pauses)}</td><td class="num" data-name="Resumed">${C(m.resumes)}</td><td class="num" data-name="Budgets, bids">${C(
m.numbers)}</td>
        <td class="num" data-name="Waits">${m.held?a`<b class="warn-ink">${L(m.held,"run")}</b>`:"0"}</td><td class="num" data-name="Cannot decide on">${m.blind?
a`<b class="warn-ink">${C(m.blind)}</b>`:"0"}</td></tr>`}<//>`}
    <div class="foot">${L(s("pauses"),"pause")}, ${L(s("resumes"),"resume")}, ${L(s("numbers"),"change")} of budgets and bids.${r>0&&` The stop switch held back\
 ${L(r,"run")}.`} What the rules save: ${[...new Set(t.map(m=>m.file))].map(m=>a`<a href=${"#/rules/backtest"+Ae({file:m,from:l,to:d})}>backtest of ${m}</a> `)}</div><//>`}
function vm({files:e}){let[t,n]=O("");return e.length===0?null:a`<${X} title="What would they do now?" side=${a`<div>${e.map(s=>a`<button class="small" aria-label=${`\
Preview ${s}`} aria-pressed=${s===t} onClick=${()=>n(s===t?"":s)}>${s}</button> `)}</div>`}>
    ${t?a`<${wm} file=${t} key=${t} />`:a`<p class="soft">Choose a rule file. It is decided on the platform's reports as they are now, and nothing is changed.</p>`}<//>`}
function wm({file:e}){let t=we("/api/rules/preview"+Ae({file:e}));return a`<${ut} result=${t}>${n=>a`<p>${Sa({counts:n.counts,state:"done"})}. Nothing was changed.</p>
    ${n.decisions.length>0&&a`<${rt} name="preview" rows=${Ls(n.decisions)} columns=${[["Creative",s=>s.creative||s.campaign],["Would",s=>s.action],["Why",s=>s.
rule]]}>${s=>a`<tr key=${s.key}><td><${ja} d=${s} /></td><td><${Ps} is=${s.action} />${s.wants&&a`<div class="note">wants ${s.wants}</div>`}</td><td class="whole break">${s.
rule}<div class="note">${Fs(s)}</div></td></tr>`}<//>`}`}<//>`}var ym=e=>e.extras.filter(t=>["for","min_age","notify"].includes(t.key));function xm({rules:e,text:t=""}){
if(e.length===0)return a`<${X} title="Rules"><${Te} title="No rules">Rules are written in files, which whoever runs usher lists in its configuration.<${xa}>usher rules backtest FILE<//><//><//>`;
let[n,s]=O(null),[o,r]=O(null),l=e.filter(d=>`${d.name} ${d.scope} ${d.extras.map(m=>`${m.key} ${m.value}`).join(" ")} ${d.says}`.toLowerCase().includes(t.toLowerCase()));
return a`<${X} title="Rules" flush side=${e.length>8&&a`<div><${Dn} label="Search rules …" value=${t} onText=${d=>et({text:d})} /></div>`}>
    <${rt} rows=${l} columns=${[["Rule",d=>d.name],["Does",d=>d.says],["Last",d=>d.last&&Date.parse(d.last),!0],["Next",d=>d.next&&Date.parse(d.next),!0]]}>${d=>a`<tr key=${d.
name}>
        <td><span class="id">${d.name}</span> <span class="tag">${Cs(d.mode)}</span><${Ns} p=${d.paused} /><div class="note">${d.scope}${d.window&&` · ${d.window}`}</div>${ym(
d).map(m=>a`<div class="note">${m.key} ${m.value}</div>`)}
          ${Be("operator")&&a`<div class="inline-acts"><button class="bare small lane" onClick=${()=>r(d)} aria-label=${`Run ${d.name} now`}>Run now …</button> <button class="bare small lane" onClick=${()=>s(
d)} aria-label=${`${d.paused?"Resume":"Pause"} ${d.name}`}>${d.paused?"Resume this rule …":"Pause this rule …"}</button></div>`}</td>
        <td class="whole">${d.activeHours&&a`<div class="break">pause outside <code>${d.activeHours}</code></div>`}${d.pause&&a`<div class="break">${d.mode==="n\
otify"?"notify":"pause"} when <code>${d.pause}</code></div>`}${d.resume&&a`<div class="break">resume when <code>${d.resume}</code></div>`}${d.bidding&&a`<${jm} b=${d.
bidding} />`}</td>
        <td class="num" data-name="Last"><${Q} at=${d.last} /></td>
        <td class="num" data-name="Next"><div>${d.next?a`<${Q} at=${d.next} />`:a`<span class="faint">on request</span>`}${d.schedule&&a`<div class="note">${d.schedule}</div>`}</div></td></tr>`}<//>${n&&
a`<${Cm} rule=${n} onClose=${()=>s(null)} />`}${o&&a`<${_m} rule=${o} onClose=${()=>r(null)} />`}${l.length===0&&a`<${Te} title="No rule matches" />`}<//>`}var km={
act:"What it decides is carried out at once: it may change creatives, budgets or bids.",approve:"What it decides waits until somebody approves it.",notify:"It r\
eports what it finds, and changes nothing.",observe:"It records what it would do, and changes nothing."};function _m({rule:e,onClose:t}){let n=async()=>{let{id:s}=await Pe(
"/api/rules/run",{file:e.file,rule:e.name.slice(e.file.length+1)});location.hash=oe("rules","runs",s)};return a`<${Ge} title=${`Run rule ${e.name} now?`} act="Run" onAct=${n} onClose=${t}>
    <p>It decides on the platform's reports as they are now. ${km[e.mode]}</p>
  <//>`}function Cm({rule:e,onClose:t}){let[n,s]=O(""),o=e.paused?"resume":"pause",r=async()=>{await Pe(`/api/rules/${o}`,{file:e.file,rule:e.name.slice(e.file.
length+1),reason:n}),Ke(`Rule ${e.name} is ${o}d`)};return a`<${Ge} title=${`${e.paused?"Resume":"Pause"} rule ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"It decides again at its next time. Nothing of the pause is made up for.":"It takes no decisions until somebody resumes it. Creatives that it \
has paused stay paused; what it decided before is carried out."}</p>
    <${Oe} name="Reason" hint="Shown beside the rule, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${l=>s(
l.target.value)} data-first /><//>
  <//>`}function jm({b:e}){return a`${e.decrease&&a`<div class="break">decrease the ${e.number} when <code>${e.decrease}</code></div>`}${e.increase&&a`<div class="break">increase the ${e.
number} when <code>${e.increase}</code></div>`}<div class="note">${e.by}</div>`}function Sm({runs:e}){return a`<${X} title="Runs" flush side=${a`<span class="faint small">newest first</span>`}>
    ${e.length===0?a`<${Te} title="No runs yet">Rules run on their schedule, or at once by Run now.<//>`:a`<${rt} name="runs" rows=${e.slice(0,50)} columns=${[[
"Run",t=>t.id],["State",t=>t.state],["Decisions",t=>Object.values(t.counts??{}).reduce((n,s)=>n+s,0)],["When",t=>Date.parse(t.at),!0]]}>${t=>a`<tr key=${t.id}>
        <td><a class="id" href=${oe("rules","runs",t.id)}>${t.id}</a><div class="note">${t.undoOf?`undoes ${t.undoOf}`:t.rule?`${t.file}/${t.rule}`:t.file}${t.event?
" · event":""}</div></td>
        <td><${Os} is=${t.state} /></td>
        <td class="whole">${Sa(t)}<div class="note">${t.by?`${t.by}${t.reason?": "+t.reason:""}`:t.why}</div></td>
        <td class="num" data-name="When"><${Q} at=${t.at} /></td></tr>`}<//>
      <div class="foot">${L(e.length,"run")}${e.length>=100?", newest only":""}</div>`}<//>`}function el({way:e,onClose:t,onDone:n}){let[s,o]=O(""),r=e==="stop",
l=async()=>{await Pe(r?"/api/stop":"/api/start",r?{reason:s}:{}),Ke(r?"Campaign actions are stopped":"Campaign actions are started"),n()};return a`<${Ge} title=${r?
"Stop all campaign actions?":"Start campaign actions again?"} act=${r?"Stop":"Start"} danger=${r} ready=${!r||s.trim()} onAct=${l} onClose=${t}>
    <p>${r?"No job changes a creative, budget or bid, whether it comes from a rule or a person. Running jobs stop before their next call. Only an admin can star\
t campaign actions again.":"Jobs that came meanwhile have ended and do not run again. The next run of each rule decides anew."}</p>
    ${r&&a`<${Oe} name="Reason" hint="Shown to everyone, and recorded in the audit."><input type="text" required maxlength="1000" value=${s} onInput=${d=>o(d.target.
value)} data-first /><//>`}
  <//>`}function Wu({params:e}){let t=e.span==="day"?"day":"",n=we("/api/overview"+Ae({span:t}),["overview"]);return we("/api/replays",["replays"]),we("/api/marks"),we(
"/api/workers"),a`<${Je} title="Overview" sub="What failed, what waits, and what happened in the last 24 hours.">
    <${ut} result=${n}>${s=>a`${!s.counted&&a`<${fe} says="The jobs are being counted." hint="usher has just started, and still reads the records: the numbers of jobs below grow until it has read them all." />`}<${Tm} needs=${s.
needs} lanes=${s.lanes} /><${vo} />
      <div class="grid two-one">
        <div class="stack"><${Lm} rows=${s.changes} before=${s.before} /></div>
        <div class="stack"><${Fm} runs=${s.rules} /><${Nm} rows=${s.taken} /></div>
      </div>
      <${Em} o=${s} />
      <div class="grid two-one">
        <div class="stack"><${Pm} t=${s.throughput} span=${t} /><${zm} hours=${s.hours} /></div>
        <div class="stack"><${Wm} p=${s.platform} /><${Hm} lanes=${s.lanes} /></div>
      </div><${Su} />`}<//>
  <//>`}function Tm({needs:e,lanes:t}){let[n,s]=O(null),o=()=>s(null),r=tr().state?.services.some(l=>l.since);return e.length?a`<section class="card" aria-label="What needs attention"><div class="flush incidents">${e.
map(l=>a`<${Am} key=${l.subject||l.says+l.about} n=${l} onAct=${()=>s(l)} />`)}</div>
    ${n&&a`<${Dm} n=${n} lanes=${t} onClose=${o} />`}</section>`:a`<${fe} level=${r?"":"good"} says=${r?"Nothing else needs attention.":"Nothing needs attention\
."} hint="No failed jobs, no run that waits for approval, and no lane is stalled." />`}var Nu={"Fix and replay":"operator",Approve:"operator","Look now":"operat\
or","Approve export":"operator","Resume lane":"admin","Start campaign actions":"admin"};function Dm({n:e,lanes:t,onClose:n}){switch(e.act){case"Fix and replay":
return a`<${bo} cause=${{class:e.class,message:e.says,hint:e.hint,count:e.count}} filter=${{group:e.subject}} onClose=${n} />`;case"Look now":return a`<${pr} feed=${e.
subject} way="look" onClose=${n} />`;case"Approve export":return a`<${pr} feed=${e.subject} versions=${e.versions} way="approve" onClose=${n} />`;case"Approve":
return a`<${wo} id=${e.subject} way="approve" onClose=${n} onDone=${()=>{}} />`;case"Resume lane":return a`<${qu} lane=${t.find(s=>s.name===e.subject)??{name:e.
subject,paused:"?"}} onClose=${n} />`}return a`<${el} way="start" onClose=${n} onDone=${()=>{}} />`}var Rm=e=>{let t=e.class||e.act==="Resume lane"||e.says.startsWith(
"Lane")?"job":e.act==="Approve"?"change":e.act==="Approve export"?"export":"";return t&&(e.count===1?t:t+"s")};function Am({n:e,onAct:t}){let n=Nu[e.act]&&Be(Nu[e.
act]);return a`<div class="incident ${e.level}">
    <div class="what"><div class="says">${e.class?a`<span title=${e.class}>${nn(e.class)}</span>${vn(e.target)&&`: ${vn(e.target,e.targetName)}`}`:a`<${jt} text=${e.
says} />`}</div>
      ${e.class?a`<div class="break"><${Ln} kind=${e.kind} target=${e.target} name=${e.targetName} />: <${At} text=${e.says} /></div>`:e.about&&a`<div class="soft"><${jt} text=${e.
about} /></div>`}
      <${sa} text=${e.hint} of=${e.class} /></div>
    <div class="facts-line">${e.count>0&&a`<span class="nowrap"><b>${C(e.count)}</b> ${Rm(e)}</span>`}${e.since&&a`<${Ts} at=${e.since} />`}${e.recent&&a`<${Mm} counts=${e.
recent} />`}</div>
    <div class="acts">${n&&a`<button class="primary small" onClick=${t}>${e.act} …</button>`}
      ${e.where!=="/"&&a`<a class="button small" href=${"#"+e.where}>${n?"Details":"Open"}</a>`}</div>
  </div>`}function Mm({counts:e}){let t=Math.max(1,...e),n=e.reduce((s,o)=>s+o,0);return a`<span class="nowrap" title="in each five minutes of the last hour"><svg class="trend" width="48" height="16" viewBox="0 0 48 16" role="img" aria-label=${`${L(
n,"letter")} in the last hour`}>
    ${e.map((s,o)=>a`<rect key=${o} x=${o*4} y=${16-Math.max(1,15*s/t)} width="3" height=${Math.max(1,15*s/t)} />`)}</svg> <span class="faint small">${C(n)} in 1 h</span></span>`}
function Em({o:e}){let t=s=>e.states[s]??0,n=e.hours.reduce((s,o)=>({done:s.done+o.done,failed:s.failed+o.failed}),{done:0,failed:0});return a`<div class="figures">
    <${St} name="Throughput" meaning=${We.rows} value=${e.throughput.rows===null?"–":Un(Math.round(e.throughput.rows))} unit="rows/s" note=${e.throughput.bytes===
null?"not measured yet":_s(e.throughput.bytes)+"/s sent"} />
    <${St} name="Running" meaning=${We.running} value=${C(t("running"))} note=${t("retrying")?L(t("retrying"),"waits for its next attempt","wait for their next \
attempt"):"none waits for its next attempt"} href="#/jobs?state=running,retrying" />
    <${St} name="Queued" meaning=${We.queued} value=${C(t("queued"))} note="not started yet" href="#/jobs?state=queued" />
    <${St} name="Done in 24 h" meaning=${We.done} value=${C(n.done)} note="jobs" href="#/jobs?state=done" />
    <${St} name="Dead letters" meaning=${We.letters} value=${C(e.letters)} note=${n.failed?`${C(n.failed)} failed in 24 h`:"none failed in 24 h"} href="#/letters" bad=${e.
letters>0} />
  </div>`}function Im(){let e=we("/api/marks");return Se(()=>{let t=setInterval(()=>document.hidden||e.reload(),3e4);return()=>clearInterval(t)},[]),e.data?.marks}
var Om=[["","15 min"],["day","24 h"]];function Pm({t:e,span:t}){let n=Im(),s=Zt(()=>[e.series.map(o=>o.at),e.series.map(o=>o.read),e.series.map(o=>o.accepted)],
[e]);return a`<${X} title="Throughput" side=${a`<${ka} label="Time" value=${t} onPick=${o=>et({span:o})} options=${Om} />`}>
    <${Ca} data=${s} values=${Un} min=${10} unit="rows/s" counts marks=${n} label=${`Rows a second of all workers over the last ${t?"24 hours":"15 minutes"}; no\
w ${e.rows===null?"not known":C(e.rows)}`}
      lines=${[["read","--c-suppressed"],["accepted","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function zm({hours:e}){let t=Zt(()=>[e.map(n=>n.at),e.map(
n=>n.done+n.failed||null),e.map(n=>n.failed||null)],[e]);return a`<${X} title="Finished jobs" side=${a`<span class="faint small">by hour, last 24</span>`}>
    <${Ca} height=${140} data=${t} values=${Un} min=${4} unit="jobs" counts label="Finished jobs by hour"
      lines=${[["finished","--c-accepted",{paths:zi(),filled:"--c-accepted"}],["failed","--c-refused",{paths:zi(),filled:"--c-refused"}]]} /><//>`}function Lm({
rows:e,before:t}){return a`<${X} title="What changed" flush side=${a`<a class="small" href="#/audiences">Audiences</a>`}>
    ${e.length===0?a`<${Te} title=${t?"The newest jobs have changed no audience":"No job has changed an audience"}>${t&&a`They were submitted since <${Q} at=${t} />.`}<//>`:
a`<${rt} name="changes" rows=${e} columns=${[["Audience",n=>vn(n.target,n.targetName)],["Change"],["When",n=>Date.parse(n.finished),!0]]}>${n=>a`<tr key=${n.id}><td>${n.
target.startsWith("segment ")?a`<a class="id" href=${oe("audiences",n.target)}>${vn(n.target,n.targetName)}</a>`:vn(n.target)}</td>
        <td class="whole"><a href=${oe("jobs",n.id)}>${oa(n)?a`<${Es} r=${n} />`:`${n.kind.endsWith(".remove")?"removal":"upload"} of ${L(n.accepted,"id")}; no \
ledger says what it changed`}</a></td><td class="num" data-name="When"><${Q} at=${n.finished} /></td></tr>`}<//>${t&&a`<div class="foot">of jobs that were submitted since <${Q} at=${t} /></div>`}`}<//>`}
function Fm({runs:e}){return a`<${X} title="What the rules did" flush side=${a`<a class="small" href="#/rules">Rules</a>`}>
    ${e.length===0?a`<${Te} title="The rules changed nothing" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.id}>
      <div><a class="strong" href=${oe("rules","runs",t.id)}>${t.rule?`${t.file}/${t.rule}`:t.file}</a> <${Os} is=${t.state} /></div>
      <div>${Sa(t)}</div><div class="note"><${Q} at=${t.at} />${t.by&&` · ${t.by}`}</div></li>`)}</ul>`}<//>`}function Nm({rows:e}){return a`<${X} title="What feeds took" flush side=${a`<a class="small" href="#/audiences">Feeds</a>`}>
    ${e.length===0?a`<${Te} title="No feed took an export" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.feed}>
      <div><a class="strong" href=${oe("jobs",t.job)}>${t.feed}</a>: ${t.rows>0?L(t.rows,"row"):"an export"} for <a href=${oe("audiences",t.audience)}>${t.label}</a></div>
      <div class="note"><${Q} at=${t.at} /></div></li>`)}</ul>`}<//>`}function Wm({p:e}){let[t,n]=O(!1),s=Object.entries(e.answers??{}).sort();return a`<${X} title="Platform" side=${a`<span class="badge ${e.
up?"good":"bad"}">${e.up?"up":e.refused?"login refused":"down"}</span>`}>
    <dl class="facts">
      <dt>Address</dt><dd class="mono">${e.url}</dd>
      <dt>Advertiser</dt><dd class="mono">${e.advertiser}</dd>
      <dt>Limit</dt><dd>${dn(e.limit)} calls/s${e.limit!==e.configured&&a` <span class="tag">set by hand</span>`}
        ${Be("admin")&&a` <button class="bare small" onClick=${()=>n(!0)} aria-label="Set the limit">Set</button>`}</dd>
      <dt>Asks to wait</dt><dd>${e.retryAfter?a`until <${Q} at=${e.retryAfter} />`:"no"}</dd>
      <dt>Workers</dt><dd>${C(e.workers)}</dd>
      <dt>Answers</dt><dd>${s.length===0?a`<span class="faint">none yet</span>`:s.map(([o,r])=>a`<span class="nowrap"><span class="tag">${o==="none"?"no answer":
o}</span> ${C(r)}</span> `)}
        <div class="faint small">counted by this process since it started</div></dd>
    </dl>${t&&a`<${qm} p=${e} onClose=${()=>n(!1)} />`}<//>`}function qm({p:e,onClose:t}){let[n,s]=O(""),[o,r]=O(""),l=async()=>{await Pe("/api/limit",{perSecond:Number(
n)||0,reason:o}),Ke(Number(n)?`The limit is ${dn(Number(n))} calls a second`:"The configured limit applies again")};return a`<${Ge} title="Calls a second" act="Set" ready=${o.
trim()} onAct=${l} onClose=${t}>
    <p>The limit for all workers together; it applies within seconds. The configured limit is ${dn(e.configured)}.</p>
    <${Oe} name="Limit" hint="Leave empty to use the configured limit."><input type="number" min="0" step="any" inputmode="decimal" value=${n} onInput=${d=>s(d.
target.value)} data-first /><//>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${d=>r(d.target.value)} /><//>
  <//>`}function Hm({lanes:e}){let[t,n]=O(null);return a`<${X} title="Lanes" flush side=${Be("admin")&&a`<button class="bare small" onClick=${()=>n(e.find(s=>s.
paused)??e[0])}>Pause or resume …</button>`}>
    <${rt} look="tight" name="lanes" rows=${e} columns=${[["Lane",s=>s.name],["Waiting",s=>s.waiting,!0,We.waiting],["Running",s=>s.running,!0,We.taken],["Oldes\
t",s=>s.oldest&&-Date.parse(s.oldest),!0]]}>${s=>a`<tr key=${s.name}><td><span class="strong">${s.name}</span><div class="note">${s.paused?a`<span class="bad-ink">paused by ${s.
paused}</span>`:L(s.slots,"slot")+" here"}</div></td>
        <td class="num">${C(s.waiting)}</td><td class="num">${C(s.running)}</td>
        <td class="num">${s.oldest?a`<span title=${zt(s.oldest)}>${co(s.oldest).replace(" ago","")}</span>`:a`<span class="faint none">–</span>`}</td></tr>`}<//>${t&&
a`<${qu} lane=${t} lanes=${e} onClose=${()=>n(null)} />`}<//>`}function qu({lane:e,lanes:t,onClose:n}){let[s,o]=O(e),[r,l]=O(""),d=s.paused?"resume":"pause",m=async()=>{
await Pe(`/api/lanes/${s.name}/${d}`,{reason:r}),Ke(`Lane ${s.name} is ${d}d`)};return a`<${Ge} title=${`${s.paused?"Resume":"Pause"} lane ${s.name}?`} act=${s.
paused?"Resume":"Pause"} danger=${!s.paused} ready=${r.trim()} onAct=${m} onClose=${n}>
    ${t&&a`<${Oe} name="Lane"><select value=${s.name} onChange=${w=>o(t.find(S=>S.name===w.target.value))}>${t.map(w=>a`<option value=${w.name} selected=${w.name===
s.name}>${w.name}${w.paused?" (paused)":""}</option>`)}</select><//>`}
    <p>${s.paused?"Workers take its jobs again.":"Within seconds, workers stop taking jobs from this lane. Running jobs continue; waiting jobs say why they wait\
."}</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${r} onInput=${w=>l(w.target.value)} data-first /><//>
  <//>`}var Hu=e=>JSON.stringify(e,null,2),Us=e=>L(e,"letter");function Uu({letter:e,onClose:t,onEdit:n}){return a`<${Ge} title=${`Letter ${e.seq}`} wide onClose=${t}>
    <${fe} level="bad" says=${a`<span title=${e.class}>${nn(e.class)}</span>: <${At} text=${e.message} />`} hint=${e.hint} of=${e.class} />
    <dl class="facts">
      <dt>Job</dt><dd>${e.id?a`<a href=${oe("jobs",e.id)} onClick=${t}>${e.id}</a>`:"unreadable"}${e.run>1?`, run ${e.run}`:""}</dd>
      <dt>Does</dt><dd><${Ln} kind=${e.kind} target=${e.target} /></dd>
      <dt>Failed</dt><dd>${zt(e.at)}</dd>
      <dt>Attempts</dt><dd>${L(e.attempts,"attempt")}${e.crashes?`, ${L(e.crashes,"crash","crashes")}`:""}</dd>
      ${e.edited&&a`<dt>Edited</dt><dd>${(e.edited.fields??[]).map(s=>Ba(s.slice(1).replaceAll("/","."))).join(", ")} by ${e.edited.by}${e.edited.reason?`: ${e.
edited.reason}`:""}</dd>`}
    </dl>
    ${e.job?a`<dl class="facts">${qs(e.job).filter(([s])=>!["id","v"].includes(s)).slice(0,12).map(([s,o])=>a`<dt>${Ba(s)}</dt><dd class="break">${ra(o)}</dd>`)}</dl>
      <details><summary>The job as it was published</summary><pre class="block">${Hu(e.job)}</pre></details>`:a`<p class="soft">The job cannot be read.</p>`}
    ${Be("operator")&&e.job&&a`<div><button type="button" onClick=${n}>Edit this job …</button></div>`}
  <//>`}function Bu({filter:e,count:t,onClose:n,onDone:s}){let[o,r]=O(""),l=async()=>{let{discarded:d}=await Pe("/api/letters/discard",{filter:e,reason:o});Ke(`${Us(
d)} discarded`),s()};return a`<${Ge} title=${`Discard ${Us(t)} for good?`} act=${`Discard ${Us(t)}`} danger ready=${o.trim()} onAct=${l} onClose=${n}>
    <p>Discarded letters cannot be replayed. The jobs' records are kept.</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${d=>r(d.target.value)} data-first /><//>
  <//>`}function Ju({filter:e,letter:t,onClose:n,onDone:s}){let[o,r]=O(t?Hu(t.job):""),[l,d]=O(""),[m,w]=O(""),[S,E]=O(""),[v,T]=O(null),U=()=>{if(!t)return{set:{
[l.trim()]:m}};try{return{job:JSON.parse(o)}}catch{throw new Error("This is not a complete job: check its commas, quotes and brackets.")}},ne=async()=>{let ye={
...U(),reason:S};if(!v)throw T(await Pe("/api/letters/edit",{filter:e,edit:{...ye,dryRun:!0}})),new Error("");let le=await Pe("/api/letters/edit",{filter:e,edit:ye});
if(le.edited===0)throw new Error(le.says||"The edit changes nothing.");Ke(`${Us(le.edited)} edited${le.refused?`, ${C(le.refused)} could not be edited`:""}`),s(
le.now??[])},ie=ye=>le=>{ye(le.target.value),T(null)};return a`<${Ge} title=${t?`Edit the job of letter ${t.seq}`:"Edit all selected letters"} wide
      act=${v?`Edit ${Us(v.edited)}`:"Preview"} ready=${v?v.edited>0&&S.trim():t||l.trim()} onAct=${ne} onClose=${n}>
    ${t?a`<${Oe} name="Job" hint="Ids are shown as their number, and the secret part of an address as ?…: keep them as they are shown, and the job keeps its values."><textarea class="code" spellcheck=${!1} value=${o} onInput=${ie(
r)} data-first></textarea><//>`:a`<${Oe} name="Field" hint="Its name in the job, such as segment or source.column."><input type="text" class="mono" value=${l} onInput=${ie(
d)} data-first /><//>
        <${Oe} name="Value" hint="The new value. The word null removes the field."><input type="text" class="mono" value=${m} onInput=${ie(w)} /><//>`}
    ${v&&a`<${fe} level=${v.refused?"warn":"good"} says=${`${Us(v.edited)} to be edited${v.same?`, ${C(v.same)} unchanged`:""}${v.refused?`, ${C(v.refused)} ref\
used`:""}`} hint=${v.says} />
      ${v.example&&a`<div class="small soft">Changed fields: ${v.example.fields.map(ye=>a`<span class="tag mono">${ye}</span> `)}</div>`}`}
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${S} onInput=${ye=>E(ye.target.value)} /><//>
  <//>`}var tl=50,Um=20,nl="Sort the rows on this page",Bm=e=>({id:e.id,kind:e.kind,class:e.class,group:e.group,match:e.match,replay:e.replay}),Gu=e=>Object.fromEntries(
Object.entries(e).filter(([,t])=>t)),Bs=e=>et({after:"",page:"",...e});function Ku({params:e}){let t=Bm(e),n={...t,group:""},s=we("/api/letters/groups"+Ae(n),["\
letters"]),o=s.data?.groups??s.stale?.groups,r=o?.reduce((w,S)=>w+S.count,0),l=e.group&&o?.find(w=>w.group===e.group),d=e.group?l?.count??0:r,m=Object.keys(Gu(t)).
length>0;return a`<${Je} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <div class="filters">
      <${Dn} label="Search target or message …" value=${e.match} onText=${w=>Bs({match:w,group:""})} />
      <${Jn} label="Cause" value=${e.class} onPick=${w=>Bs({class:w,group:""})} options=${[["","All causes"],...Object.entries(zn).map(([w,{title:S}])=>[w,S])]} />
      <${Jn} label="Kind" value=${e.kind} onPick=${w=>Bs({kind:w,group:""})} options=${Ji} />
    </div>
    ${e.replay&&a`<div><span class="tag">failed again after a replay</span> <button class="small bare" onClick=${()=>Bs({replay:""})}>show all letters</button></div>`}
    ${e.id&&a`<div><span class="tag">job ${e.id}</span> <button class="small bare" onClick=${()=>Bs({id:""})}>show all jobs</button></div>`}
    ${s.error&&a`<${un} says=${s.error} retry=${s.reload} />`}
    ${o?o.length===0?a`<${vo} /><div class="card">${m?a`<${Te} title="No dead letter matches">Remove a filter to see other letters.<//>`:a`<${Te} title="No dead letters">No job has failed.<//>`}</div>`:
a`<div class="grid two-one letters"><div class="stack"><${Vm} filter=${t} total=${d} params=${e} key=${JSON.stringify(t)} /></div>
        <div class="stack"><${vo} /><${Jm} list=${o} picked=${e.group} /></div></div>`:!s.error&&a`<div class="card"><${yn} /></div>`}
  <//>`}function Jm({list:e,picked:t}){let[n,s]=O(null),[o,r]=O(!1),l=o?e:e.slice(0,8);return a`<${X} title="Causes" flush side=${a`<span class="faint small">${L(
e.length,"cause")}, what costs most first</span>`}>
    <ul class="causes">${l.map(d=>a`<li key=${d.group}>
        <div><b title=${d.class}>${nn(d.class)}</b> <span class="tag" title=${We.letters}>${L(d.count,"letter")}</span></div>
        <div class="note"><${Ln} kind=${d.kind} target=${d.target} name=${d.targetName} /> · last <${Q} at=${d.last} /></div>
        <div class="break"><${At} text=${d.message} /></div><${sa} text=${d.hint} of=${d.class} />
        <div class="acts-line">${Be("operator")&&a`<button class="small" onClick=${()=>s(d)} aria-label=${`Fix and replay ${L(d.count,"letter")}: ${d.message}`}>Fix and replay …</button>`}
          <button class="small" aria-pressed=${t===d.group} onClick=${()=>Bs({group:t===d.group?"":d.group})}>${t===d.group?"Show all":"Only these"}</button></div>
      </li>`)}</ul>
    ${e.length>l.length&&a`<div class="foot"><button class="small" onClick=${()=>r(!0)}>Show all ${C(e.length)} causes</button></div>`}
    ${n&&a`<${bo} cause=${n} filter=${{group:n.group}} onClose=${()=>s(null)} />`}<//>`}var al=new Map,$r={all:!1,seqs:[]};function Gm(e,t){let n=t.letters.map(
r=>r.seq),s=n[0]??1/0,o=t.more?n.at(-1)??1/0:0;return e.filter(r=>n.includes(r)||r<o||r>s)}function Km(e){let t=(e.after??"").split(",").filter(Boolean),n=t.length?
Math.max(2,Number(e.page)||2):1,s=(o,r)=>"#/letters"+Ae({...e,after:o.slice(-Um).join(),page:o.length?r:""});return{page:n,after:t.at(-1)??"",earlier:n>1&&s(t.slice(
0,-1),n-1),later:o=>s([...t,o],n+1)}}function Vm({filter:e,total:t,params:n}){let{page:s,after:o,earlier:r,later:l}=Km(n),d=JSON.stringify(e),m=al.get(d)??$r,[,
w]=O(0),S=de=>{al.set(d,de),w($e=>$e+1)},[E,v]=O(null),T=we("/api/letters"+Ae({...e,after:o,limit:tl}),["letters"]),U=T.data??T.stale,ne=m.all?t:m.seqs.length,ie=m.
all?Gu(e):{seqs:m.seqs},ye=()=>S($r),le=de=>{let $e=m.all?U.letters.map(Qt=>Qt.seq):m.seqs;S({all:!1,seqs:$e.includes(de)?$e.filter(Qt=>Qt!==de):[...$e,de]})};if(Se(
()=>{let de=al.get(d)??$r;if(!T.data||de.all)return;let $e=Gm(de.seqs,T.data);$e.length<de.seqs.length&&S({all:!1,seqs:$e})},[T.data]),!U)return T.error?a`<${un} says=${T.
error} retry=${T.reload} />`:a`<div class="card"><${yn} /></div>`;let Ve=U.letters.map(de=>de.seq),an=m.all||Ve.length>0&&Ve.every(de=>m.seqs.includes(de)),pt=Be(
"operator");return a`${T.error&&a`<${un} says=${T.error} retry=${T.reload} />`}<section class="card" inert=${!T.data} aria-busy=${!T.data}>
      <div class="top"><h2>Letters</h2>${pt&&t>0&&a`<button class="small" onClick=${()=>S({all:!0,seqs:[]})}>Select all ${C(t)} that match</button>`}</div>
      <div class="flush"><${rt} look=${`cards ${pt?"ticks":""}`} rows=${U.letters} columns=${[["Job",de=>de.id,!1,nl],["Why",de=>de.class,!1,nl],["When",de=>Date.
parse(de.at),!0,nl]]}
        first=${pt&&a`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${an} onChange=${()=>S(an?$r:{all:!1,seqs:[...new Set([...m.
seqs,...Ve])]})} /></th>`}>${de=>a`<tr key=${de.seq}>
          ${pt&&a`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${de.seq}`} checked=${m.all||m.seqs.includes(de.seq)} onChange=${()=>le(de.
seq)} /></td>`}
          <td><button class="bare id small" onClick=${()=>v({show:de})}>${de.id??"no id"}</button><div class="note"><${Ln} kind=${de.kind} target=${de.target} name=${de.
targetName} /></div></td>
          <td class="whole"><b title=${de.class}>${nn(de.class)}</b><div class="break"><${At} text=${de.message} /></div></td>
          <td class="num" data-name="When"><div><${Q} at=${de.at} /><div class="note">letter ${de.seq}</div></div></td></tr>`}<//></div>
      ${Ve.length===0&&a`<${Te} title="No letters here any more">They were replayed or discarded.<//>`}
      ${(s>1||U.more)&&a`<div class="foot"><span class="acts">${r?a`<a class="button small" href=${r}>Newer</a>`:a`<button class="small" disabled>Newer</button>`}</span>
        <span>page ${C(s)}${t>tl?` of ${C(Math.max(s,Math.ceil(t/tl)))}`:""}, newest first</span>
        <span class="acts">${U.more?a`<a class="button small" href=${l(Ve.at(-1))}>Older</a>`:a`<button class="small" disabled>Older</button>`}</span></div>`}
    </section>
    ${pt&&ne>0&&a`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${L(ne,"letter")}</b> selected${m.all?", all that match":""}</span>
      <button class="bare" onClick=${ye}>Clear</button>
      <button class="danger" onClick=${()=>v({discard:!0})}>Discard …</button>
      <button onClick=${()=>v({edit:!0})}>Edit …</button>
      <button class="primary" onClick=${()=>v({fix:!0})}>Fix and replay …</button></div>`}
    ${E?.fix&&a`<${bo} cause=${{count:ne,message:m.all?"All letters that match":"The selected letters"}} filter=${ie} onClose=${()=>v(null)} onDone=${ye} />`}
    ${E?.show&&a`<${Uu} letter=${E.show} onClose=${()=>v(null)} onEdit=${()=>v({edit:!0,letter:E.show})} />`}
    ${E?.discard&&a`<${Bu} filter=${ie} count=${ne} onClose=${()=>v(null)} onDone=${ye} />`}
    ${E?.edit&&a`<${Ju} filter=${E.letter?{seqs:[E.letter.seq]}:ie} letter=${E.letter??(m.seqs.length===1&&U.letters.find(de=>de.seq===m.seqs[0]))}
      onClose=${()=>v(null)} onDone=${de=>!E.letter&&!m.all&&S({all:!1,seqs:de})} />`}`}var Vu=e=>e.spend?.budget>0?e.spend.spent/e.spend.budget:null,ol=.95;function Ym({c:e}){return e.at?e.error&&e.active+e.paused+e.pending===0?a`<span class="bad-ink small break">${e.
error}</span>`:a`<span class="nowrap"><b class=${e.active?"good-ink":""}>${C(e.active)}</b> active${e.paused>0&&a`, <b class="warn-ink">${C(e.paused)}</b> paused`}${e.
pending>0&&`, ${C(e.pending)} pending`}</span>
    <div class="bar thin" aria-hidden="true">${[["active","c-accepted"],["paused","c-junk"],["pending","c-duplicate"]].map(([t,n])=>e[t]>0&&a`<i class=${n} style=${{
flexGrow:e[t]}}></i>`)}</div>`:a`<span class="faint">being read …</span>`}function Zm({all:e}){return e.length?e.map(t=>a`<div class="small break">${t.rule?a`rule <a href=${"\
#/rules"+Ae({text:t.rule})}>${t.rule}</a>`:t.actor||"outside usher"}${e.length>1&&a` <span class="faint">${C(t.count)}</span>`}</div>`):a`<span class="faint none">–</span>`}
function Xm({s:e}){if(!e)return a`<span class="faint">not known</span>`;let t=e.budget>0?e.spent/e.budget:null;return a`<div class="spend" title=${`on ${e.date}`}><span class="nowrap">${lo(
e.spent)}${t!==null&&` of ${lo(e.budget)}`} ${e.currency}</span>
    ${t!==null&&a`<meter class=${t>=ol?"high":""} min="0" max="1" value=${Math.min(t,1)} aria-label=${`${Math.round(t*100)} % of the budget of ${e.date} is spen\
t`}></meter><span class="small ${t>=ol?"warn-ink":"faint"}">${Math.round(t*100)} %</span>`}</div>`}var Qm=[{key:"name",title:"Campaign",card:!1,value:e=>e.code,
cell:e=>a`<a class="id" href=${oe("campaigns",e.code)}>${e.code}</a>`},{key:"creatives",title:"Creatives",num:!1,value:e=>e.at?-e.paused:null,meaning:"Sort by t\
he number of paused creatives",cell:e=>a`<${Ym} c=${e} />`},{key:"by",title:"Paused by",value:e=>e.pausedBy[0]&&(e.pausedBy[0].rule||e.pausedBy[0].actor||"~"),cell:e=>a`<div><${Zm} all=${e.
pausedBy} /></div>`},{key:"spend",title:"Spend and budget",value:Vu,num:!1,meaning:"Sort by the share of the budget that is spent",cell:e=>a`<${Xm} s=${e.spend} />`},
{key:"held",title:"Held",num:!0,value:e=>e.held,meaning:"Changes that wait for approval",cell:e=>e.held?a`<a class="badge warn" href=${oe("rules","runs",e.heldRun)}>${C(
e.held)} held</a>`:a`<span class="faint none">–</span>`},{key:"last",title:"Last change",num:!0,value:e=>e.last&&Date.parse(e.last.at),cell:e=>e.last?a`<span title=${`${e.
last.what}: ${e.last.reason}`}><${Q} at=${e.last.at} /><div class="note">${e.last.by}</div></span>`:a`<span class="faint none">–</span>`}],sl={"":()=>!0,paused:e=>e.
paused>0,held:e=>e.held>0,spent:e=>Vu(e)>=ol};function Yu({params:e}){let t=we("/api/campaigns",["campaigns","rules"]);return a`<${Je} title="Campaigns" sub="What serves, what is paused and by whom, and how much of the day's budget is spent. Spend, and what was changed outside usher, is at most some minutes old.">
    <${ut} result=${t}>${({campaigns:n,spendError:s})=>{let o=(e.text??"").toLowerCase(),r=n.filter(w=>w.code.toLowerCase().includes(o)),l=r.filter(sl[e.only]??
sl[""]),d=w=>r.filter(sl[w]).length,m=n.filter(w=>!w.at).length;return a`<div class="filters"><${Dn} label="Search campaigns …" value=${e.text} onText=${w=>et(
{text:w})} />
          <${ka} label="Which" value=${e.only} onPick=${w=>et({only:w})} options=${[["","All",r.length],["paused","With pauses",d("paused")],["held","Held",d("h\
eld")],["spent","95 % spent",d("spent")]]} /></div>
        ${s&&a`<${fe} level="warn" says="Spend and budgets are not known now" hint=${s} />`}
        <${X} flush>${l.length===0?a`<${Te} title=${n.length?"No campaign matches":"No campaigns"}>${n.length?"Remove a filter to see other campaigns.":"The pla\
tform lists no campaigns for this advertiser."}<//>`:a`<${Ws} label="Campaigns" columns=${Qm} rows=${l.slice(0,500)} params=${e} id=${w=>w.code} href=${w=>oe("c\
ampaigns",w.code)} />
            <div class="foot"><span>${L(l.length,"campaign")}${l.length>500?", the first 500 are shown":""}</span>${m>0&&a`<span>the creatives of ${C(m)} are being read</span>`}</div>`}<//>`}}<//>
  <//>`}var Zu="The platform's times have no zone, so they are shown as the platform sends them.";function ep({code:e}){let t=we("/api/campaigns/"+encodeURIComponent(e),
["audit","jobs","rules"]),[n,s]=O([]),[o,r]=O(""),l=t.data,d=Be("operator"),m=w=>s(n.includes(w)?n.filter(S=>S!==w):[...n,w]);return a`<${Je} title=${e} crumb=${a`<a href="#/campaigns">Campaigns</a>`}
      sub=${l&&a`${L(l.creatives.length,"creative")}, ${C(l.creatives.filter(w=>w.status==="ACTIVE").length)} active`}
      acts=${l&&d&&a`<button class="danger" onClick=${()=>r("pause")}>Pause ${n.length?C(n.length):"all"} …</button>
        <button onClick=${()=>r("resume")}>Resume ${n.length?C(n.length):"all"} …</button>`}>
    <${ut} result=${t}>${w=>a`
      ${w.holder&&a`<${fe} level="warn" says=${`Locked by ${w.holder}`} hint="A worker is changing this campaign or reading back its changes." />`}
      ${w.lockError&&a`<${fe} level="warn" says="It is not known whether a worker has locked this campaign" hint=${w.lockError} />`}
      ${w.jobs.map(S=>a`<${fe} key=${S.id} says=${a`<${Ja} is=${S.state} /> ${ar(S.kind,S.target)}`} hint=${S.why||S.id} where=${oe("jobs",S.id)} />`)}
      ${w.partial&&a`<p class="small soft">So many jobs have not ended that only the newest were looked through for those of this campaign: <a href=${"#/jobs"+Ae(
{state:"queued,running,retrying",text:e})}>search all</a>.</p>`}
      <div class="grid two-one">
        <div class="stack"><${X} title="Creatives" flush>${w.creatives.length===0?a`<${Te} title="No creatives" />`:a`<${rt} look=${`cards ${d?"ticks":""}`} rows=${w.
creatives} columns=${[["Creative",S=>S.code],["Status",S=>S.status],["Last change on the platform",S=>S.updated||null,!0]]}
          first=${d&&a`<th class="tick"><input type="checkbox" aria-label="Select all creatives" checked=${n.length===w.creatives.length} onChange=${()=>s(n.length?
[]:w.creatives.map(S=>S.code))} /></th>`}>${S=>a`<tr key=${S.code}>${d&&a`<td class="tick"><input type="checkbox" aria-label=${`Select ${S.code}`} checked=${n.includes(
S.code)} onChange=${()=>m(S.code)} /></td>`}
            <td class="strong break"><a class="id" href=${oe("rules","why",S.code)} title="Its history">${S.code}</a><${Xi} s=${w.kept[S.code]} />${S.message&&a`<div class="note">${S.
message}</div>`}</td><td><${Ja} is=${S.status} /></td>
            <td class="num" data-name="Changed">${S.updated?a`<span class="nowrap" title=${Zu}>${S.updated.replace("T"," ").replace(/\.\d+$/,"")} <span class="faint">no zone</span></span>`:
"–"}</td></tr>`}<//>
            ${w.creatives.some(S=>S.updated)&&a`<div class="foot">${Zu}</div>`}`}<//><${t$} creatives=${w.creatives} changes=${w.changes} /></div>
        <div class="stack"><${e$} rules=${w.rules??[]} kept=${w.kept[e]} code=${e} /><${s$} entries=${w.history} code=${e} /></div>
      </div>`}<//>
    ${o&&a`<${r$} code=${e} verb=${o} creatives=${n} all=${l.creatives.length} onClose=${()=>r("")} onDone=${()=>s([])} />`}
  <//>`}function e$({rules:e,kept:t,code:n}){return a`<${X} title="Rules in scope" side=${a`<${mr} code=${n} campaign=${n} kept=${t} what="budget and bid" />`}>${t&&
a`<p><b>Budget and bid</b><${Xi} s=${t} /></p>`}${e.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${e.map(s=>a`<li><a href=${"#/rules"+Ae({text:s.
name})} class="break">${s.name}</a> <span class="tag">${Cs(s.mode)}</span><${Ns} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>`}
var Xu=28;function t$({creatives:e,changes:t}){let n=Array.from({length:Xu},(r,l)=>Pn(ct()-(Xu-1-l)*864e5)),s=[...fr([...t].reverse(),r=>r.creative,r=>Pn(r.at))].
sort(([r],[l])=>r.localeCompare(l,"en",{numeric:!0})),o=new Map(e.map(r=>[r.code,r.status]));return a`<${hr} title="Creatives by day" days=${n} legend=${[["","a\
ctive"],["pause","paused at the end of the day"],["changed","changed, and active again"]]}
    lines=${s.filter(([r])=>o.has(r)).map(([r,l])=>[r,n$(n,l,o.get(r))])} />`}function n$(e,t,n){let s=[];for(let o of[...e].reverse()){let r=t.get(o)??[],l=r.map(
d=>`${ln(d.at)} ${Ut(d.before)} → ${Ut(d.after)} by ${[d.by,d.reason].filter(Boolean).join(": ")}`).join(`
`);s.unshift({look:n==="INACTIVE"?"pause":r.length?"changed":"",title:`${o}: ${l||Ut(n)}`}),n=r[0]?.before||n}return s}function a$(e){let t=[];for(let n of e){let s=t.
at(-1);s&&n.job&&s[0].job===n.job&&s[0].run===n.run?s.push(n):t.push([n])}return t}function s$({entries:e,code:t}){return a`<${X} title="History" side=${a`<a class="small" href=${"\
#/audit"+Ae({campaign:t})}>Open in audit</a>`}>
    ${e.length===0?a`<p class="soft">usher has not changed its creatives.</p>`:a`<ul class="line">${a$(e).slice(0,20).map(([n,...s])=>a`
      <li class=${n.after==="ACTIVE"?"good":n.after==="INACTIVE"?"warn":""}>
        <${Qu} a=${n} />${s.length>0&&a`<details class="small"><summary>and ${C(s.length)} more by this job</summary>${s.map(o=>a`<${Qu} a=${o} />`)}</details>`}
        <div class="small soft break">${[n.rule||n.actor,n.reason].filter(Boolean).join(": ")}</div>
        <${Ga} metrics=${n.metrics} /><div class="small faint"><${Q} at=${n.at} /></div></li>`)}</ul>`}<//>`}var Qu=({a:e})=>a`<div><b class="break">${e.creative||
(e.bidding?wn[e.bidding.field]:"campaign")}</b> <span class="small">${Ut(e.before)} → ${Ut(e.after)}${e.after!==e.wanted?` (wanted ${Ut(e.wanted)})`:""}</span></div>`;
function o$({code:e,creatives:t}){let n=we(`/api/campaigns/${encodeURIComponent(e)}/reversals?${t.map(s=>"creative="+encodeURIComponent(s)).join("&")}`);return n.
error?a`<${fe} level="warn" says="It is not known whether a rule would pause them again" hint=${n.error} />`:n.data?a`${n.data.map(s=>a`<${fe} key=${s.rule+s.reason} level="warn" says=${a`Rule ${s.
rule} would ${s.asks?"ask to pause":"pause"} ${s.creatives.slice(0,3).join(", ")}${s.creatives.length>3?` and ${C(s.creatives.length-3)} more`:""} again ${s.next?
a`in its next run, <${Q} at=${s.next} />`:"when it runs next"}`} hint=${s.reason} />`)}
    ${n.data.length===0&&a`<p class="soft">No rule would pause them again by the numbers of now.</p>`}`:a`<p class="soft">Asking the rules …</p>`}function r$({
code:e,verb:t,creatives:n,all:s,onClose:o,onDone:r}){let[l,d]=O(""),[m,w]=O(""),S=n.length||s,E=async()=>{let{id:v}=await Pe(`/api/campaigns/${encodeURIComponent(
e)}/${t}`,{creatives:n,reason:l,keep:m});Ke(`${t==="pause"?"Pausing":"Resuming"} ${L(S,"creative")}: job ${v}`),r()};return a`<${Ge} title=${`${t==="pause"?"Pau\
se":"Resume"} ${L(S,"creative")}?`} act=${t==="pause"?"Pause":"Resume"} danger=${t==="pause"} ready=${l.trim()&&m!==Ka} onAct=${E} onClose=${o}>
    <p>${n.length?n.join(", "):`All creatives of ${e}`} ${t==="pause"?"stop":"start"} being served. ${t==="pause"?"Rules do not resume what is paused by hand.":
"A rule whose condition holds may pause them again in its next run, unless you keep rules from them."}</p>
    ${t==="resume"&&a`<${o$} code=${e} creatives=${n} />`}
    <${Qi} until=${m} onUntil=${w} />
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Ne.user}.`}><input type="text" required maxlength="1000" value=${l} onInput=${v=>d(v.target.
value)} data-first /><//>
  <//>`}var i$=[["","All times"],["1h","Last hour"],["24h","Last 24 hours"],["168h","Last 7 days"],["720h","Last 30 days"]],rl=50,gr="Sort the rows on this page",l$=[["\
When",e=>Date.parse(e.at),!1,gr],["Who",e=>e.rule||e.actor,!1,gr],["What",e=>e.creative||e.after||e.wanted,!1,gr],["Why",e=>e.reason,!1,gr]];function tp({params:e}){
let t=e.span&&new Date(Math.floor(ct()/6e4)*6e4-parseInt(e.span)*36e5).toISOString(),n={match:e.match,campaign:e.campaign,actor:e.actor,job:e.job,rule:e.rule,since:t},
s=Math.max(rl,Number(e.limit)||rl),o=we("/api/audit"+Ae({...n,limit:s}),["audit"]),r=o.data??o.stale,l=["campaign","actor","job","rule"].filter(d=>e[d]);return a`<${Je} title="Audit" sub="Who did what, when and why. Kept for 400 days."
      acts=${a`<a class="button" href=${"/api/audit/export"+Ae({...n,format:"ndjson"})} download>Export NDJSON</a><a class="button" href=${"/api/audit/export"+Ae(
{...n,format:"csv"})} download>Export CSV</a>`}>
    <div class="filters">
      <${Dn} label="Search actor, reason, creative, job …" value=${e.match} onText=${d=>et({match:d,limit:""})} />
      <${Jn} label="Time" value=${e.span} onPick=${d=>et({span:d,limit:""})} options=${i$} />
    </div>
    ${l.length>0&&a`<div class="filters">${l.map(d=>a`<button class="small" onClick=${()=>et({[d]:""})} aria-label=${`Remove the filter ${d}`}>${d}: ${e[d]} ×</button>`)}</div>`}
    ${o.error&&a`<${un} says=${o.error} retry=${o.reload} />`}
    <section class="card">${r?r.entries.length===0?a`<${Te} title=${e.match||l.length||e.span?"Nothing matches":"No actions yet"}>Pauses, resumes, replays, edits, discards and uses of the stop switch are listed here.<//>`:
a`<${rt} columns=${l$} rows=${r.entries}>${(d,m)=>a`<tr key=${d.at+d.job+d.creative+m}>
          <td data-name="When"><${Q} at=${d.at} /></td>
          <td data-name="Who"><a href=${"#/audit"+Ae(d.rule?{rule:d.rule}:{actor:d.actor})}>${d.rule||d.actor||"–"}</a></td>
          <td class="whole"><${d$} a=${d} /></td>
          <td class="whole break">${d.reason}<${Ga} metrics=${d.metrics} /></td></tr>`}<//>
        <div class="foot"><span>${L(r.entries.length,"entry","entries")}, newest first</span>${r.more&&s<200&&a`<button class="small" onClick=${()=>et({limit:String(
Math.min(s+rl,200))})}>Show more</button>`}${r.more&&s>=200&&a`<span>More than ${C(s)} entries match: narrow the search or export them.</span>`}</div>`:!o.error&&
a`<${yn} />`}</section>
  <//>`}function d$({a:e}){let t=e.job&&a`<div class="note">job <a href=${oe("jobs",e.job)}>${e.job}</a>${e.run>1?`, run ${e.run}`:""}</div>`;return e.creative?
a`<span class="strong break">${e.creative}</span> ${Ut(e.before)} → ${Ut(e.after)}${e.after!==e.wanted?a` <span class="bad-ink">(wanted ${Ut(e.wanted)})</span>`:
""}
      ${e.campaign&&a`<div class="note">campaign <a href=${oe("campaigns",e.campaign)}>${e.campaign}</a></div>`}${t}`:e.job?a`<span class="strong">${e.wanted}</span>${e.
before?` (was ${e.before})`:""}${t}`:a`<span class="strong">${/^(stopped|started)$/.test(e.after)?`campaign actions ${e.after}`:e.after}</span>`}var c$=[["","Overview",bn.overview],["audiences","Audiences",bn.audiences],["jobs","Jobs",bn.jobs],["letters","Dead letters",bn.letters],["campaigns","Campaigns",
bn.campaigns],["rules","Rules",bn.rules],["audit","Audit",bn.audit]],np=([,e,...t])=>t.length?`${e==="campaign"?"target":e} ${t.join("/")}`:e;function u$({names:e,
params:t}){let[n="",s]=e;switch(n){case"":return a`<${Wu} params=${t} />`;case"jobs":return s?a`<${fu} id=${s} key=${s} />`:a`<${bu} params=${t} />`;case"letter\
s":return a`<${Ku} params=${t} />`;case"audiences":return s==="overlap"?a`<${wu} params=${t} />`:s?a`<${xu} target=${np(e)} key=${np(e)} />`:a`<${iu} params=${t} />`;case"\
campaigns":return s?a`<${ep} code=${s} key=${s} />`:a`<${Yu} params=${t} />`;case"rules":return a`<${Fu} names=${e.slice(1)} params=${t} />`;case"audit":return a`<${tp} params=${t} />`}
return a`<${Je} title="Page not found" sub=${a`<a href="#/">Back to the overview</a>`} />`}Yc();function p$(){let[e,t]=O(As());return Se(()=>{let n=()=>t(As()),
s=rr(n);return n(),s},[]),a`<button class="bare small" onClick=${Ms} aria-label=${e?"Light colours":"Dark colours"} title=${e?"Light colours":"Dark colours"}><span class="icon">${bn.
theme}</span></button>`}function h$(){return a`<button class="bare small" onClick=${()=>ws(!Tn())} title=${Tn()?"Times are in UTC; show them in this computer's \
zone":`Times are in this computer's zone, ${xs()}; show them in UTC`} aria-label=${Tn()?"Times in UTC":`Times in ${xs()}, this computer's zone`}>${xs()}</button>`}
function f$({onLeave:e}){let t=Lc(),n=we("/api/overview",["letters","overview"]),s=tu(t.names),o=n.data?.letters??0,r=()=>Pe("/api/logout").then(()=>e("You have\
 logged out."),l=>e(l.message));return a`<a class="skip" href="#main" onClick=${l=>{l.preventDefault(),document.querySelector("h1")?.focus()}}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${bn.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${c$.map(([l,d,m])=>a`<a href="#/${l}" aria-current=${(t.names[0]??"")===l?"page":void 0}>${m}<span>${l==="letters"?a`<span class="long">Dead </span>letters`:
d}</span>
            ${l==="letters"&&o>0&&a`<span class="count" aria-label=${L(o,"dead letter")}>${o>999?"999+":C(o)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${Ne.user}</b><span class="faint small">${Ne.role}</span></div>
          <div class="row"><${p$} /><${h$} /><button class="bare small" onClick=${r} title="Log out" aria-label="Log out"><span class="icon">${bn.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${s.stale?"stale":""} ${s.well?"":"unwell"}"><${nu} status=${s} />${u$(t)}</main>
    </div><${Qc} /><${Bc} />`}var il={expired:"Your session has expired: sessions end after two hours without use, and after twelve hours.",forgotten:"usher doe\
s not know your session any more: it was restarted and had not stored it.",barred:"Your password has changed, you may not log in any more, or the proxy names an\
other user.",unread:"usher cannot check your session, because NATS does not respond. This page tries it again by itself."};function m$(){let[e,t]=O(Ne.user),[n,
s]=O(il[Ne.absent]),[,o]=O(0);Se(()=>{Oc(async()=>{Ne.user&&(io(),Ne.user="",await ks().catch(()=>{}),s(il[Ne.absent]??"Your session has ended: you have logged \
out in another tab."),t(""))}),window.addEventListener("zone",()=>o(d=>d+1))},[]);let r=async()=>{await ks(),s(il[Ne.absent]),t(Ne.user),Ne.user&&Ti()},l=d=>{io(),
Ne.user="",s(d),t("")};return e?a`<${f$} key=${Tn()?"utc":"local"} onLeave=${l} />`:a`<${au} why=${n} onIn=${r} />`}function ap(){!Ne.user||na().names[0]!=="log\
in"||(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")))}window.addEventListener("hashchange",ap);Object.assign(Ne,JSON.parse(document.
getElementById("session").textContent));ap();Ne.user&&Ti();var sp=document.getElementById("app");sp.replaceChildren();$i(a`<${m$} />`,sp);
/*! https://github.com/leeoniya/uPlot (v1.6.32) */
